import { setTimeout as pause } from 'node:timers/promises';
import type { AcceptedDto } from '#libs/contracts';
import { afterFile } from '#test/support/after-file';
import type { ApiClient } from '#test/support/api-client';
import { HopelessError, waitUntil } from '#test/support/wait-until';

/** What a producer was told instead of 202. */
export interface Refusal {
  status: number;
  retryAfter: string | null;
  contentType: string | null;
}

interface Producer {
  accepted: AcceptedDto[];
  refusals: Refusal[];
}

/** Between two requests of one producer: as fast as they can, they would take the processors from all other tests. */
const PACE_MS = 20;

/**
 * A payment hub's senders under load. Each posts one status change after the other and, as the contract tells it to,
 * repeats the very same request until it is answered with 202.
 */
export class Producers {
  private readonly each: Producer[];
  private readonly enough = new AbortController();
  private isAbandoned = false;
  private readonly posting: Promise<unknown>;

  /** Starts so many; `changesOfOne` is called once for each and makes what that one posts. */
  static start(client: ApiClient, count: number, changesOfOne: () => Iterator<object>): Producers {
    return new Producers(client, count, changesOfOne);
  }

  private constructor(
    private readonly client: ApiClient,
    count: number,
    changesOfOne: () => Iterator<object>,
  ) {
    this.each = Array.from({ length: count }, () => ({ accepted: [], refusals: [] }));
    // No request is repeated after the test file, whatever its tests ended with.
    afterFile(() => (this.isAbandoned = true));
    this.posting = Promise.allSettled(this.each.map((producer) => this.post(producer, changesOfOne())));
  }

  /** What they were promised so far. */
  get accepted(): AcceptedDto[] {
    return this.each.flatMap((producer) => producer.accepted);
  }

  get refusals(): Refusal[] {
    return this.each.flatMap((producer) => producer.refusals);
  }

  /** Waits until each has had so many more accepted. */
  eachGetsOn(by: number): Promise<void> {
    return this.eachHasMore(by, ({ accepted }) => accepted.length);
  }

  /** Waits until each has been refused so many times more. */
  eachIsRefused(times: number): Promise<void> {
    return this.eachHasMore(times, ({ refusals }) => refusals.length);
  }

  /** Lets each finish the request that it is at, and returns all that they were promised. */
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
        what: () => `each of ${this.each.length} producers to get on; now ${this.each.map(count).join()}`,
      },
    );
  }

  private async post(producer: Producer, changes: Iterator<object>): Promise<void> {
    for (let next = changes.next(); next.done !== true; next = changes.next()) {
      producer.accepted.push(await this.postUntilAccepted(producer, next.value));
      if (this.enough.signal.aborted) return;
      await pause(PACE_MS);
    }
  }

  private postUntilAccepted(producer: Producer, change: object): Promise<AcceptedDto> {
    return waitUntil(
      async () => {
        if (this.isAbandoned) throw new HopelessError('the test is over');
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
