import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { AcceptedDto, BatchResultDto } from '#libs/contracts';
import type { PromisedEvent } from '#test/chaos/observations';
import { Payments, type NextChange } from '#test/chaos/payments';
import { seededRandom, type SeededRandom } from '#test/chaos/seeded-random';
import { ApiClient } from '#test/support/api-client';

export interface ProducersOptions {
  readonly apis: readonly string[];
  readonly adminKey: string;
  readonly seed: number;
  readonly count: number;
  /** Of all producers together, roughly. */
  readonly changesPerSecond: number;
  /** Consumer id of each company; several companies may be one consumer's. */
  readonly consumerOf: ReadonlyMap<string, string>;
}

interface Item extends NextChange {
  readonly key: string;
}

/** One request in so many is a batch; of those accepted, one in so many is repeated although it was answered. */
const BATCH_SHARE = 0.12;
const REPEAT_SHARE = 0.03;
const ANSWER_DEADLINE_MS = 4_000;

/**
 * Payment systems under load. Each sends one request after the other and repeats the very same one, at the other api
 * if need be, until it is answered with 202.
 */
export class Producers {
  readonly promised: PromisedEvent[] = [];
  /** Answers that break the contract: another id for the same key, other consumers than the companies'. */
  readonly faults: string[] = [];
  /** Requests that were answered otherwise than with 202, or not at all. */
  unanswered = 0;
  private ending = false;
  private isRefused = false;
  private readonly clients: readonly ApiClient[];
  private readonly sending: Promise<void>[];

  constructor(private readonly options: ProducersOptions) {
    this.clients = options.apis.map((url) => new ApiClient(url, options.adminKey));
    this.sending = Array.from({ length: options.count }, (_, number) => this.send(number));
    for (const one of this.sending) one.catch(() => undefined);
  }

  /** Lets each finish the request that it is at. */
  async finish(): Promise<void> {
    this.ending = true;
    await Promise.all(this.sending);
  }

  private async send(number: number): Promise<void> {
    const random = seededRandom(this.options.seed * 1_000 + number);
    const [first, ...others] = [...this.options.consumerOf.keys()];
    if (first === undefined) throw new Error('producers need a company');
    const payments = new Payments(String(number), [first, ...others], random);
    const everyMs = (this.options.count / this.options.changesPerSecond) * 1_000;
    while (!this.ending) {
      const size = random.next() < BATCH_SHARE ? random.whole(2, 6) : 1;
      const items = Array.from({ length: size }, (): Item => ({ ...payments.next(), key: randomUUID() }));
      const begun = performance.now();
      const ids = await this.untilAccepted(items, number + random.whole(0, 1));
      items.forEach((item, index) => this.promise(item, ids[index] ?? ''));
      if (random.next() < REPEAT_SHARE) await this.repeat(items, ids, random);
      await pause(Math.max(0, everyMs * size * (0.5 + random.next()) - (performance.now() - begun)));
    }
  }

  /** The same request with the same keys, until 202. Returns the notification ids, in order. */
  private async untilAccepted(items: readonly Item[], startAt: number): Promise<string[]> {
    for (let attempt = 0; ; attempt += 1) {
      const client = this.clients[(startAt + attempt) % this.clients.length];
      if (client === undefined) throw new Error('producers need an api');
      const ids = await this.post(client, items).catch(() => undefined);
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
      this.checkAddressees(
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

  /** Away is what repeating is for; anything else is a fault that repeating does not mend. */
  private refused(status: number, body: object): undefined {
    if (status >= 500) return;
    this.faults.push(`answered with ${status}: ${JSON.stringify(body)}`);
    this.ending = true;
    this.isRefused = true;
  }

  private checkAddressees(item: Item, consumers: readonly string[]): void {
    const expected = this.consumersOf(item);
    const isSame = expected.length === consumers.length && expected.every((id) => consumers.includes(id));
    if (!isSame)
      this.faults.push(`${item.payment} ${item.place} is for ${expected.join()}, not ${consumers.join()}`);
  }

  private async repeat(items: readonly Item[], ids: readonly string[], random: SeededRandom): Promise<void> {
    const again = await this.untilAccepted(items, random.whole(0, 1));
    if (again.join() !== ids.join()) this.faults.push(`${ids.join()} became ${again.join()} when repeated`);
  }

  private promise(item: Item, notificationId: string): void {
    this.promised.push({
      notificationId,
      payment: item.payment,
      place: item.place,
      consumers: this.consumersOf(item),
      sent: item.change,
      promisedAtMs: Date.now(),
    });
  }

  private consumersOf(item: NextChange): string[] {
    return [...new Set(item.companies.map((company) => this.options.consumerOf.get(company) ?? company))];
  }
}
