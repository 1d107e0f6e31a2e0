import type { NewConsumer } from '#libs/database';
import { afterFile } from '#test/support/after-file';
import { startConsumer, type ConsumerAnswer, type ReceivedRequest } from '#test/support/consumer-server';
import { Recipient } from '#test/support/recipient';
import type { DispatcherInProcess } from '#test/support/dispatcher-in-process';
import { waitUntil } from '#test/support/wait-until';

/** A status as it reached the consumer. */
export interface Arrival {
  readonly payment: string;
  /** The how-manieth status it is that was accepted for this consumer, from 1. */
  readonly place: number;
  /** Of `performance.now()`. */
  readonly atMs: number;
}

export type Answering = (arrival: Arrival) => ConsumerAnswer | Promise<ConsumerAnswer>;

/** A consumer of the services in this process, with an HTTP server of its own that remembers what came. */
export class ServedConsumer {
  readonly arrivals: Arrival[] = [];
  /** The most requests that were here at the same time. */
  mostAtOnce = 0;
  private atOnce = 0;

  /** @param answering everything is acknowledged unless told otherwise */
  static async add(
    services: DispatcherInProcess,
    { answering = () => ({}), ...settings }: Partial<NewConsumer> & { answering?: Answering } = {},
  ): Promise<ServedConsumer> {
    const server = await startConsumer();
    // It listens for as long as the test file runs: workers may still be sending.
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

  /** Answers differently from now on. */
  answer(answering: Answering): void {
    this.answering = answering;
  }

  /** Accepts a status of each of these payments, in this order. @returns their deliveries */
  accept(...payments: string[]): Promise<string[]> {
    return Promise.all(payments.map((payment) => this.recipient.accept(payment)));
  }

  /** Accepts the first status of so many payments. @returns their deliveries */
  acceptMany(count: number): Promise<string[]> {
    return this.accept(...Array.from({ length: count }, () => crypto.randomUUID()));
  }

  /** Waits for so many requests. */
  async waitFor(count: number): Promise<void> {
    await waitUntil(() => this.arrivals.length >= count, {
      what: () => `${String(count)} requests, not ${String(this.arrivals.length)}`,
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

/** Payments of which a status came after a later one of them. */
export function outOfOrder(arrivals: readonly Arrival[]): string[] {
  const newest = new Map<string, number>();
  return arrivals.flatMap(({ payment, place }) => {
    const isLate = place < (newest.get(payment) ?? 0);
    if (!isLate) newest.set(payment, place);
    return isLate ? [payment] : [];
  });
}
