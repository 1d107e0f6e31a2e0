import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { AcceptedDto, BatchResultDto } from '#libs/contracts';
import type { AcceptedEvent } from '#test/chaos/observations';
import { Payments, type NextChange } from '#test/chaos/payments';
import { seededRandom, type SeededRandom } from '#test/chaos/seeded-random';
import { ApiClient } from '#test/support/api-client';

export interface ProducersOptions {
  readonly apis: readonly string[];
  readonly adminKey: string;
  readonly seed: number;
  readonly count: number;
  /** Approximate rate of all producers together. */
  readonly changesPerSecond: number;
  /** Consumer id by company; several companies may have the same consumer. */
  readonly consumerOf: ReadonlyMap<string, string>;
  /** Begins the ids of its payments, where there are other producers; empty by default. */
  readonly prefix?: string;
  readonly observer?: RequestObserver;
}

/** Hears about each request. */
export interface RequestObserver {
  /** It was answered with 202, this long after its first try. */
  accepted(events: number, tookMs: number): void;
  /** A try was answered with this status; undefined: there was no answer. */
  failed(status: number | undefined): void;
}

interface Item extends NextChange {
  readonly key: string;
}

/** Shares of requests that are batches, and of accepted requests that are repeated. */
const BATCH_SHARE = 0.12;
const REPEAT_SHARE = 0.03;
const ANSWER_DEADLINE_MS = 4_000;

/**
 * Payment systems under load. Each sends one request after the other, and repeats it with the same keys, alternating
 * between the apis, until it is answered with 202.
 */
export class Producers {
  readonly accepted: AcceptedEvent[] = [];
  /** Answers that break the contract, such as another id for the same key, or wrong consumers. */
  readonly faults: string[] = [];
  /** Requests without an answer, or with another status than 202. */
  unanswered = 0;
  private ending = false;
  private isRefused = false;
  private readonly clients: readonly ApiClient[];
  private readonly sending: Promise<void>[];

  constructor(readonly options: ProducersOptions) {
    this.clients = options.apis.map((url) => new ApiClient(url, options.adminKey));
    this.sending = Array.from({ length: options.count }, (_, number) => this.send(number));
    for (const one of this.sending) one.catch(() => undefined);
  }

  /** Resolves when each producer has finished its current request. */
  async finish(): Promise<void> {
    this.ending = true;
    await Promise.all(this.sending);
  }

  private async send(number: number): Promise<void> {
    const random = seededRandom(this.options.seed * 1_000 + number);
    const [first, ...others] = [...this.options.consumerOf.keys()];
    if (first === undefined) throw new Error('producers need a company');
    const payments = new Payments(
      `${this.options.prefix ?? ''}${String(number)}`,
      [first, ...others],
      random,
    );
    const everyMs = (this.options.count / this.options.changesPerSecond) * 1_000;
    while (!this.ending) {
      const size = random.next() < BATCH_SHARE ? random.integer(2, 6) : 1;
      const items = Array.from({ length: size }, (): Item => ({ ...payments.next(), key: randomUUID() }));
      const begun = performance.now();
      const ids = await this.untilAccepted(items, number + random.integer(0, 1));
      items.forEach((item, index) => this.recordAccepted(item, ids[index] ?? ''));
      if (random.next() < REPEAT_SHARE) await this.repeat(items, ids, random);
      await pause(Math.max(0, everyMs * size * (0.5 + random.next()) - (performance.now() - begun)));
    }
  }

  /** Repeats a request with the same keys until 202. @returns the notification ids, in order */
  private async untilAccepted(items: readonly Item[], startAt: number): Promise<string[]> {
    const { observer } = this.options;
    const begunAtMs = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      const client = this.clients[(startAt + attempt) % this.clients.length];
      if (client === undefined) throw new Error('producers need an api');
      const ids = await this.post(client, items).catch(() => {
        observer?.failed(undefined);
      });
      if (ids !== undefined) observer?.accepted(ids.length, performance.now() - begunAtMs);
      if (ids !== undefined || this.isRefused) return ids ?? [];
      this.unanswered += 1;
      await pause(100);
    }
  }

  private async post(client: ApiClient, items: readonly Item[]): Promise<string[] | undefined> {
    const [only, second] = items;
    if (only !== undefined && second === undefined) {
      const { status, body } = await client.call<AcceptedDto>('POST', '/v1/events', only.change, {
        headers: { 'idempotency-key': only.key },
        deadlineMs: ANSWER_DEADLINE_MS,
      });
      if (status !== 202) return this.refused(status, body);
      this.checkConsumers(
        only,
        body.deliveries.map((delivery) => delivery.consumerId),
      );
      return [body.notificationId];
    }
    const events = items.map(({ change, key }) => ({ ...change, idempotencyKey: key }));
    const { status, body } = await client.call<BatchResultDto>(
      'POST',
      '/v1/events/batch',
      { events },
      {
        deadlineMs: ANSWER_DEADLINE_MS,
      },
    );
    if (status !== 202) return this.refused(status, body);
    return body.results.map((result) => {
      if (result.notificationId === undefined) this.faults.push(`refused: ${JSON.stringify(result)}`);
      return result.notificationId ?? '';
    });
  }

  /** A request with a 5xx answer is repeated. Any other status is a fault that a repetition cannot solve. */
  private refused(status: number, body: object): undefined {
    this.options.observer?.failed(status);
    if (status >= 500) return;
    this.faults.push(`answered with ${status}: ${JSON.stringify(body)}`);
    this.ending = true;
    this.isRefused = true;
  }

  private checkConsumers(item: Item, consumers: readonly string[]): void {
    const expected = this.consumersOf(item);
    const isSame = expected.length === consumers.length && expected.every((id) => consumers.includes(id));
    if (!isSame)
      this.faults.push(`${item.payment} ${item.position} is for ${expected.join()}, not ${consumers.join()}`);
  }

  private async repeat(items: readonly Item[], ids: readonly string[], random: SeededRandom): Promise<void> {
    const again = await this.untilAccepted(items, random.integer(0, 1));
    if (again.join() !== ids.join()) this.faults.push(`${ids.join()} became ${again.join()} when repeated`);
  }

  private recordAccepted(item: Item, notificationId: string): void {
    this.accepted.push({
      notificationId,
      payment: item.payment,
      position: item.position,
      consumers: this.consumersOf(item),
      sent: item.change,
      acceptedAtMs: Date.now(),
    });
  }

  private consumersOf(item: NextChange): string[] {
    return [...new Set(item.companies.map((company) => this.options.consumerOf.get(company) ?? company))];
  }
}
