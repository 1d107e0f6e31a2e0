import { newId, type Ordering } from '#libs/contracts';
import {
  fetchDeliveries,
  leaveSessions,
  type AttemptResult,
  type Pipeline,
  type SentRequest,
  type SessionRequest,
} from '#libs/database';
import { insertConsumer } from '#test/support/consumer-row';
import { acceptStatuses, deliveryOf, statusFor } from '#test/support/new-status';
import { attemptResult } from '#test/support/open-session';

/** A consumer with one payment, whose statuses the test accepts, and with a session, which it opens. */
export class StatementConsumer {
  static async add(
    pipeline: Pipeline,
    statuses = 0,
    ordering: Ordering = 'payment',
  ): Promise<StatementConsumer> {
    const consumer = new StatementConsumer(pipeline, await insertConsumer(pipeline.db, { ordering }));
    for (let status = 0; status < statuses; status += 1) await consumer.accept();
    return consumer;
  }

  session = 0;
  readonly paymentId = newId();
  /** The deliveries of its statuses, in order. */
  readonly ids: string[] = [];

  private constructor(
    private readonly pipeline: Pipeline,
    readonly id: string,
  ) {}

  /** The delivery of its first status. */
  get id0(): string {
    return this.ids[0] ?? '';
  }

  /** Accepts the next status of its payment, or a status of another one. @returns the delivery */
  async accept(paymentId = this.paymentId): Promise<string> {
    const event = statusFor(this.id, { paymentId });
    await acceptStatuses(this.pipeline, event);
    if (paymentId === this.paymentId) this.ids.push(deliveryOf(event));
    return deliveryOf(event);
  }

  /** Fetches in its session; undefined: PostgreSQL has nothing to answer. */
  async fetch(given: Partial<SessionRequest> = {}) {
    const request = { consumerId: this.id, session: this.session, wanted: 10, inFlight: [], ...given };
    return (await fetchDeliveries(this.pipeline, [request]))[0];
  }

  /** @returns what is due: the ids */
  async due(given: Partial<SessionRequest> = {}): Promise<string[]> {
    return (await this.fetch(given))?.deliveries.map(({ id }) => id) ?? [];
  }

  /** Opens the next session, which is the consumer's own from now on. */
  async open(wanted = 10) {
    const opened = await this.fetch({ session: null, wanted });
    if (opened === undefined) throw new Error('opening a session always returns a row');
    this.session = opened.consumer.session;
    return opened;
  }

  /** Leaves its session while these requests are in flight. */
  leave(...sent: Partial<SentRequest>[]): Promise<unknown> {
    const request = {
      eventType: 'wire.status',
      paymentId: this.paymentId,
      attempts: 0,
      holdMs: 15_000,
    } as const;
    const requests = sent.map((one) => ({ deliveryId: this.id0, ...request, ...one }));
    return leaveSessions(this.pipeline, [
      {
        consumerId: this.id,
        session: this.session,
        nextSendInMs: null,
        succeededMsAgo: null,
        sent: requests,
      },
    ]);
  }

  /** The result of an attempt, by default acknowledged, in its present session. */
  result(deliveryId: string, given: Partial<AttemptResult> = {}): AttemptResult {
    return attemptResult({ consumerId: this.id, session: this.session, deliveryId, ...given });
  }

  pending() {
    return this.pipeline.db
      .selectFrom('pending_deliveries')
      .select(['id', 'attempts', 'schedule_step', 'next_attempt_at'])
      .where('consumer_id', '=', this.id)
      .orderBy('number')
      .execute();
  }
}
