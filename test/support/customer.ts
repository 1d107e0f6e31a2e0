import { verifyBasic, verifyNotification } from '#libs/signing';
import {
  startConsumer,
  type ConsumerAnswer,
  type ConsumerServer,
  type ReceivedRequest,
} from '#test/support/consumer-server';
import { afterFile } from '#test/support/after-file';
import type { ApiClient } from '#test/support/api-client';
import { LONGEST_WAIT_MS, waitUntil } from '#test/support/wait-until';

/** A notification as it reached the customer. */
export interface Arrival {
  readonly request: ReceivedRequest;
  readonly notificationId: string;
  /** ACH `transactionId` or wire `paymentId`. */
  readonly paymentId: string;
  readonly status: string;
  /** `verified`, or why the customer must not believe it. */
  readonly verdict: string;
  /** The how-manieth time that this notification is here, from 1. */
  readonly time: number;
  /** Whether it is being answered with 2xx. */
  isAcknowledged: boolean;
}

export type CustomerBehaviour = (arrival: Arrival) => ConsumerAnswer;

/** How the bank introduces itself to every customer. */
export const BANK = { username: 'the-bank', password: 'pässword of the bank' } as const;

/** In this process so far: each has a company of its own. */
let onboarded = 0;

/**
 * A corporate customer of the bank: a company of its own, registered over the api, with a consumer that checks
 * whatever arrives as its developer would, with the secret that the registration answered with.
 */
export class Customer {
  readonly arrivals: Arrival[] = [];
  consumerId = '';
  private secret = '';

  /** Starts its consumer, which acknowledges everything unless told otherwise, and registers it. */
  static async onboard(
    client: ApiClient,
    {
      behaviour = () => ({}),
      ...registration
    }: { behaviour?: CustomerBehaviour } & Record<string, unknown> = {},
  ): Promise<Customer> {
    const server = await startConsumer();
    onboarded += 1;
    const customer = new Customer(server, `COMPANY-${onboarded}`, behaviour);
    afterFile(() => server.close());
    server.behave((request) => customer.receive(request));
    const { id, signingSecret = '' } = await client.registerConsumer({
      name: customer.company,
      url: server.url,
      eventTypes: ['ach.status', 'wire.status'],
      achCompanyIds: [customer.company],
      wireCompanyIds: [customer.company],
      credentials: BANK,
      ...registration,
    });
    customer.consumerId = id;
    customer.secret = signingSecret;
    return customer;
  }

  private constructor(
    readonly server: ConsumerServer,
    readonly company: string,
    private behaviour: CustomerBehaviour,
  ) {}

  /** What it has acknowledged, each notification once, in the order of the first acknowledgement. */
  get taken(): Arrival[] {
    const seen = new Set<string>();
    return this.arrivals.filter(({ notificationId, isAcknowledged }) => {
      if (!isAcknowledged || seen.has(notificationId)) return false;
      seen.add(notificationId);
      return true;
    });
  }

  /** The statuses of a payment that it has taken, in the order in which it took them. */
  statusesOf(paymentId: string): string[] {
    return this.taken.filter((arrival) => arrival.paymentId === paymentId).map((arrival) => arrival.status);
  }

  /** Answers differently from now on. */
  behave(behaviour: CustomerBehaviour): void {
    this.behaviour = behaviour;
  }

  /** Checks with another secret from now on. */
  agreeOn(secret: string): void {
    this.secret = secret;
  }

  /** Waits until so many notifications have arrived, repeats included. */
  async waitForArrivals(count: number, deadlineMs = LONGEST_WAIT_MS): Promise<readonly Arrival[]> {
    await this.server.waitFor(count, deadlineMs);
    return this.arrivals;
  }

  /** Waits until it has taken all of these notifications. */
  async waitToHaveTaken(
    accepted: readonly { notificationId: string }[],
    deadlineMs = LONGEST_WAIT_MS,
  ): Promise<void> {
    const missing = (): string[] => {
      const taken = new Set(this.taken.map((arrival) => arrival.notificationId));
      return accepted.map((event) => event.notificationId).filter((id) => !taken.has(id));
    };
    await waitUntil(() => missing().length === 0, {
      deadlineMs,
      what: () => `${missing().length} of ${accepted.length} notifications to be taken by ${this.company}`,
    });
  }

  private receive(request: ReceivedRequest): ConsumerAnswer {
    const envelope: Envelope = JSON.parse(request.body);
    const { notificationId, data } = envelope;
    const arrival: Arrival = {
      request,
      notificationId,
      paymentId: data.achEventInfo?.transactionId ?? data.wireEventInfo?.paymentId ?? '',
      status: data.achEventInfo?.status ?? data.wireEventInfo?.status ?? '',
      verdict: this.check(request),
      time: 1 + this.arrivals.filter((earlier) => earlier.notificationId === notificationId).length,
      isAcknowledged: false,
    };
    this.arrivals.push(arrival);
    const answer = this.behaviour(arrival);
    arrival.isAcknowledged = typeof answer === 'object' && Math.floor((answer.status ?? 200) / 100) === 2;
    return answer;
  }

  private check({ headers, body }: ReceivedRequest): string {
    if (!verifyBasic(headers.authorization, BANK.username, BANK.password)) return 'not the bank';
    const verification = verifyNotification({
      secret: this.secret,
      url: this.server.url,
      rawBody: body,
      timestamp: headers['x-timestamp']?.toString(),
      signature: headers['x-signature']?.toString(),
      unit: 'seconds',
      nowMs: Date.now(),
    });
    return verification.ok ? 'verified' : verification.fault;
  }
}

interface Envelope {
  notificationId: string;
  data: {
    achEventInfo?: { transactionId: string; status: string };
    wireEventInfo?: { paymentId: string; status: string };
  };
}
