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
  /** `verified`, or why the customer must reject it. */
  readonly verdict: string;
  /** Occurrence number of this notification, from 1. */
  readonly time: number;
  /** Whether the answer is 2xx. */
  isAcknowledged: boolean;
}

export type CustomerBehaviour = (arrival: Arrival) => ConsumerAnswer;

/** The Basic credentials that the bank sends to every customer. */
export const BANK = { username: 'the-bank', password: 'pässword of the bank' } as const;

/** Customers created in this process, for unique company names. */
let onboarded = 0;

/**
 * A corporate customer of the bank with its own company, registered over the api. Its consumer verifies each
 * notification with the secret from the registration's answer.
 */
export class Customer {
  readonly arrivals: Arrival[] = [];
  consumerId = '';
  private secret = '';

  /** Starts and registers its consumer, which acknowledges everything by default. */
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

  /** The acknowledged notifications, each once, in the order of the first acknowledgement. */
  get acknowledged(): Arrival[] {
    const seen = new Set<string>();
    return this.arrivals.filter(({ notificationId, isAcknowledged }) => {
      if (!isAcknowledged || seen.has(notificationId)) return false;
      seen.add(notificationId);
      return true;
    });
  }

  /** The acknowledged statuses of a payment, in the order of their acknowledgement. */
  statusesOf(paymentId: string): string[] {
    return this.acknowledged
      .filter((arrival) => arrival.paymentId === paymentId)
      .map((arrival) => arrival.status);
  }

  /** Replaces the behaviour. */
  behave(behaviour: CustomerBehaviour): void {
    this.behaviour = behaviour;
  }

  /** Replaces the secret for verification. */
  setSecret(secret: string): void {
    this.secret = secret;
  }

  /** Waits until `count` notifications have arrived, repeats included. */
  async waitForArrivals(count: number, deadlineMs = LONGEST_WAIT_MS): Promise<readonly Arrival[]> {
    await this.server.waitFor(count, deadlineMs);
    return this.arrivals;
  }

  /** Waits until it has acknowledged all of these notifications. */
  async waitForAcknowledged(
    accepted: readonly { notificationId: string }[],
    deadlineMs = LONGEST_WAIT_MS,
  ): Promise<void> {
    const missing = (): string[] => {
      const acknowledged = new Set(this.acknowledged.map((arrival) => arrival.notificationId));
      return accepted.map((event) => event.notificationId).filter((id) => !acknowledged.has(id));
    };
    await waitUntil(() => missing().length === 0, {
      deadlineMs,
      what: () => `${this.company} to acknowledge ${missing().length} of ${accepted.length} notifications`,
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
