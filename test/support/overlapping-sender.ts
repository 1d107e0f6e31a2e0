import { type AttemptResult, type Pipeline } from '#libs/database';
import { sql } from 'kysely';
import { acceptStatuses, deliveryOf, statusFor } from '#test/support/new-status';
import { TestSession } from '#test/support/test-session';
import { insertConsumer } from '#test/support/consumer-row';

/** What PostgreSQL has of a delivery. */
export interface Kept {
  readonly state: string;
  /** Its count of attempts. */
  readonly counted: number;
  /** Of its stored attempts, by number. */
  readonly outcomes: readonly string[];
  readonly numbers: readonly number[];
}

/** A worker that sends one delivery, also while a former attempt of it is in flight. */
export class OverlappingSender {
  /** Attempts differ in their times. */
  private static lastStartedMs = Date.now();

  /** Accepts a delivery to a consumer of its own, and opens the consumer's session. */
  static async add(pipeline: Pipeline): Promise<OverlappingSender> {
    const consumerId = await insertConsumer(pipeline.db);
    const event = statusFor(consumerId);
    await acceptStatuses(pipeline, event);
    return new OverlappingSender(pipeline, await TestSession.open(pipeline, consumerId), deliveryOf(event));
  }

  private constructor(
    private readonly pipeline: Pipeline,
    private readonly session: TestSession,
    readonly id: string,
  ) {}

  /** @returns the result of an attempt, not recorded yet; undefined when the delivery is not pending */
  async send(next: AttemptResult['next']): Promise<AttemptResult | undefined> {
    await sql`update pending_deliveries set next_attempt_at = now() where id = ${this.id}`.execute(
      this.pipeline.db,
    );
    const [fetched] = await this.session.fetch();
    if (fetched === undefined) return undefined;
    OverlappingSender.lastStartedMs += 1;
    return { ...this.session.result(this.id, next), startedAt: new Date(OverlappingSender.lastStartedMs) };
  }

  /** Sends a delivery that is pending. */
  async sent(next: AttemptResult['next']): Promise<AttemptResult> {
    const result = await this.send(next);
    if (result === undefined) throw new Error('the delivery is not pending');
    return result;
  }

  async kept(): Promise<Kept> {
    const { rows } = await sql<Kept>`
      select d.state, d.counted,
             array(select outcome from attempts a where a.delivery_id = d.id order by number) as outcomes,
             array(select number from attempts a where a.delivery_id = d.id order by number) as numbers
      from (select id, 'pending' as state, attempts as counted from pending_deliveries
            union all select id, state, attempts from deliveries) d
      where d.id = ${this.id}`.execute(this.pipeline.db);
    const [row] = rows;
    if (row === undefined || rows.length > 1) throw new Error(`the delivery has ${String(rows.length)} rows`);
    return row;
  }
}
