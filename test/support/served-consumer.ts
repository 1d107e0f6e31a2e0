import type { NewConsumer } from '#libs/database';
import { afterFile } from '#test/support/after-file';
import { startConsumer, type ConsumerAnswer, type ReceivedRequest } from '#test/support/consumer-server';
import { Recipient } from '#test/support/recipient';
import type { DispatcherInProcess } from '#test/support/dispatcher-in-process';
import { waitUntil } from '#test/support/wait-until';

/** A status that reached the consumer. */
export interface Arrival {
  readonly payment: string;
  /** The position among the statuses accepted for this consumer, from 1. */
  readonly place: number;
  /** The time of `performance.now()`. */
  readonly atMs: number;
}

export type Answering = (arrival: Arrival) => ConsumerAnswer | Promise<ConsumerAnswer>;

/** A consumer of the in-process dispatcher with its own HTTP server, which records all arrivals. */
export class ServedConsumer {
  readonly arrivals: Arrival[] = [];
  /** The highest number of concurrent requests so far. */
  mostAtOnce = 0;
  private atOnce = 0;

  /** @param answering acknowledges everything by default */
  static async add(
    services: DispatcherInProcess,
    { answering = () => ({}), ...settings }: Partial<NewConsumer> & { answering?: Answering } = {},
  ): Promise<ServedConsumer> {
    const server = await startConsumer();
    // It listens until the test file ends: workers may still be sending.
    afterFile(() => server.close());
    const recipient = await Recipient.add(services, { url: server.url, ...settings });
    const consumer = new ServedConsumer(recipient, answering);
    server.behave((request) => consumer.receive(request));
    return consumer;
  }

  private constructor(
    readonly recipient: Recipient,
    private answering: Answering,
  ) {}

  get id(): string {
    return this.recipient.id;
  }

  /** Replaces the behaviour. */
  answer(answering: Answering): void {
    this.answering = answering;
  }

  /** Accepts a status of each of these payments, in this order. @returns the ids of their deliveries */
  accept(...payments: string[]): Promise<string[]> {
    return Promise.all(payments.map((payment) => this.recipient.accept(payment)));
  }

  /** Accepts the first status of `count` payments. @returns the ids of their deliveries */
  acceptMany(count: number): Promise<string[]> {
    return this.accept(...Array.from({ length: count }, () => crypto.randomUUID()));
  }

  /** Waits until `count` requests have arrived. */
  async waitFor(count: number): Promise<void> {
    await waitUntil(() => this.arrivals.length >= count, {
      what: () => `${String(count)} requests at the consumer; ${String(this.arrivals.length)} so far`,
      everyMs: 5,
    });
  }

  private async receive({ body }: ReceivedRequest): Promise<ConsumerAnswer> {
    const { data }: Body = JSON.parse(body);
    const { transactionId, amount } = data.achEventInfo;
    const arrival = { payment: transactionId, place: Number(amount), atMs: performance.now() };
    this.arrivals.push(arrival);
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    try {
      return await this.answering(arrival);
    } finally {
      this.atOnce -= 1;
    }
  }
}

interface Body {
  readonly data: { readonly achEventInfo: { readonly transactionId: string; readonly amount: string } };
}

/** The payments of arrivals that came after a later status of the same payment. */
export function outOfOrder(arrivals: readonly Arrival[]): string[] {
  const newest = new Map<string, number>();
  return arrivals.flatMap(({ payment, place }) => {
    const isLate = place < (newest.get(payment) ?? 0);
    if (!isLate) newest.set(payment, place);
    return isLate ? [payment] : [];
  });
}
