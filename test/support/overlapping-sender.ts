import { newId } from '#libs/contracts';
import type { AttemptResult, NewEvent, Pipeline } from '#libs/database';
import { sql } from 'kysely';
import { acceptStatuses, deliveryOf, statusFor } from '#test/support/new-status';
import { DELIVERED, TestSession } from '#test/support/test-session';
import { insertConsumer } from '#test/support/consumer-row';

/** What PostgreSQL has of a delivery. */
export interface Kept {
  readonly state: string;
  /** Whether it is pending and due. */
  readonly isDue: boolean;
  /** Its count of attempts. */
  readonly counted: number;
  /** Of its stored attempts, by number. */
  readonly outcomes: readonly string[];
  readonly numbers: readonly number[];
}

/** A worker that sends the statuses of one payment, also while a former attempt of the first one is in flight. */
export class OverlappingSender {
  /** Attempts differ in their times. */
  private static lastStartedMs = Date.now();

  /** Accepts a payment for a consumer of its own, and opens the consumer's session. */
  static async add(pipeline: Pipeline, statuses = 1): Promise<OverlappingSender> {
    const sender = new OverlappingSender(pipeline, await insertConsumer(pipeline.db));
    const events = Array.from({ length: statuses }, (_, index) => sender.newStatus(statuses - 1 - index));
    await acceptStatuses(pipeline, ...events);
    sender.session = await TestSession.open(pipeline, sender.consumerId);
    return sender;
  }

  /** The deliveries of its statuses, in order. */
  readonly ids: string[] = [];
  /** The event of its first status. */
  notificationId = '';
  private readonly paymentId = newId();
  private session: TestSession | undefined;

  private constructor(
    private readonly pipeline: Pipeline,
    readonly consumerId: string,
  ) {}

  /** The delivery of the first status. */
  get id(): string {
    return this.ids[0] ?? '';
  }

  /** The payment's next status, which is not accepted yet. */
  newStatus(followers = 0): NewEvent {
    const event = statusFor(this.consumerId, { paymentId: this.paymentId, followers });
    this.ids.push(deliveryOf(event));
    this.notificationId ||= event.id;
    return event;
  }

  /** @returns the result of an attempt of the first status, not recorded yet; undefined when it is not pending */
  async send(next: AttemptResult['next']): Promise<AttemptResult | undefined> {
    await this.makeDue();
    const fetched = (await this.session?.fetch())?.find(({ id }) => id === this.id);
    if (fetched === undefined || this.session === undefined) return undefined;
    OverlappingSender.lastStartedMs += 1;
    return { ...this.session.result(this.id, next), startedAt: new Date(OverlappingSender.lastStartedMs) };
  }

  /** Sends the first status, which is pending. */
  async sent(next: AttemptResult['next']): Promise<AttemptResult> {
    const result = await this.send(next);
    if (result === undefined) throw new Error('the delivery is not pending');
    return result;
  }

  async makeDue(): Promise<void> {
    await sql`update pending_deliveries set next_attempt_at = now() where id = ${this.id}`.execute(
      this.pipeline.db,
    );
  }

  /** Delivers what is due, and what that makes due. @returns all of it, in the order in which it went */
  async deliverAll(): Promise<string[]> {
    const went: string[] = [];
    for (;;) {
      const due = (await this.session?.fetch()) ?? [];
      if (due.length === 0) return went;
      for (const { id } of due) {
        await this.session?.record(id, DELIVERED);
        went.push(id);
      }
    }
  }

  /** What there is of the first status. @throws when it has several rows or none */
  async kept(): Promise<Kept> {
    const { rows } = await sql<Kept>`
      select d.state, d."isDue", d.counted,
             array(select outcome from attempts a where a.delivery_id = d.id order by number) as outcomes,
             array(select number from attempts a where a.delivery_id = d.id order by number) as numbers
      from (select id, 'pending' as state, next_attempt_at <= clock_timestamp() as "isDue", attempts as counted
            from pending_deliveries
            union all select id, state, false, attempts from deliveries) d
      where d.id = ${this.id}`.execute(this.pipeline.db);
    const [row] = rows;
    if (row === undefined || rows.length > 1) throw new Error(`the delivery has ${String(rows.length)} rows`);
    return row;
  }
}
