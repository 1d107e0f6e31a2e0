import { setTimeout as pause } from 'node:timers/promises';
import type { AcceptedDto } from '#libs/contracts';
import { afterFile } from '#test/support/after-file';
import type { ApiClient } from '#test/support/api-client';
import { StopWaitingError, waitUntil } from '#test/support/wait-until';

/** An answer other than 202. */
export interface Refusal {
  status: number;
  retryAfter: string | null;
  contentType: string | null;
}

interface Producer {
  accepted: AcceptedDto[];
  refusals: Refusal[];
}

/** Pause between two requests of a producer: without it, producers would use the processors that other tests need. */
const PACE_MS = 20;

/**
 * Producers under load. Each posts status changes in sequence and, as the contract requires, repeats an identical
 * request until the answer is 202.
 */
export class Producers {
  private readonly each: Producer[];
  private readonly enough = new AbortController();
  private isAbandoned = false;
  private readonly posting: Promise<unknown>;

  /** Starts `count` producers; `changesOfProducer` is called once for each and yields its status changes. */
  static start(
    client: ApiClient,
    count: number,
    changesOfProducer: () => Iterator<object>,
    paceMs = PACE_MS,
  ): Producers {
    return new Producers(client, count, changesOfProducer, paceMs);
  }

  private constructor(
    private readonly client: ApiClient,
    count: number,
    changesOfProducer: () => Iterator<object>,
    private readonly paceMs: number,
  ) {
    this.each = Array.from({ length: count }, () => ({ accepted: [], refusals: [] }));
    // No request is repeated after the test file, even if a test has failed.
    afterFile(() => (this.isAbandoned = true));
    this.posting = Promise.allSettled(this.each.map((producer) => this.post(producer, changesOfProducer())));
  }

  /** All events that were answered with 202 so far. */
  get accepted(): AcceptedDto[] {
    return this.each.flatMap((producer) => producer.accepted);
  }

  get refusals(): Refusal[] {
    return this.each.flatMap((producer) => producer.refusals);
  }

  /** Waits until each producer has had `by` more events accepted. */
  waitForAccepted(by: number): Promise<void> {
    return this.eachHasMore(by, ({ accepted }) => accepted.length);
  }

  /** Waits until each producer has been refused `times` more times. */
  waitForRefused(times: number): Promise<void> {
    return this.eachHasMore(times, ({ refusals }) => refusals.length);
  }

  /** Stops the producers after their current events. @returns all accepted events */
  async finish(): Promise<AcceptedDto[]> {
    this.enough.abort();
    await this.posting;
    return this.accepted;
  }

  private async eachHasMore(by: number, count: (producer: Producer) => number): Promise<void> {
    const before = this.each.map(count);
    await waitUntil(
      () => this.each.every((producer, index) => count(producer) >= (before[index] ?? 0) + by),
      {
        what: () => `progress of ${this.each.length} producers; counts: ${this.each.map(count).join()}`,
      },
    );
  }

  private async post(producer: Producer, changes: Iterator<object>): Promise<void> {
    for (let next = changes.next(); next.done !== true; next = changes.next()) {
      producer.accepted.push(await this.postUntilAccepted(producer, next.value));
      if (this.enough.signal.aborted) return;
      await pause(this.paceMs);
    }
  }

  private postUntilAccepted(producer: Producer, change: object): Promise<AcceptedDto> {
    return waitUntil(
      async () => {
        if (this.isAbandoned) throw new StopWaitingError('the test is over');
        const { status, headers, body } = await this.client.call<AcceptedDto>('POST', '/v1/events', change);
        if (status === 202) return body;
        producer.refusals.push({
          status,
          retryAfter: headers.get('retry-after'),
          contentType: headers.get('content-type'),
        });
        return undefined;
      },
      { what: 'a status change to be accepted', everyMs: 100 },
    );
  }
}
