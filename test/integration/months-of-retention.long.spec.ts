import { expect, it } from 'vitest';
import fc from 'fast-check';
import {
  dropOldPartitions,
  ensurePartitions,
  retryDelivery,
  trimPayments,
  type AttemptResult,
} from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { Recipient } from '#test/support/recipient';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { attempt } from '#test/support/test-session';
import { AUDIT } from '#test/support/actor';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const WEEKS = 27;
/** Far from the current week, whose partitions every database has. */
const FIRST_WEEK = Math.floor(Date.UTC(2031, 0, 6) / WEEK_MS);
const RETENTION_DAYS = 90;
/** The schedule may be down for this long, because partitions are made that far ahead. */
const WEEKS_AHEAD = 8;

/** The course of a delivery. Each time is in weeks since the step before. */
const course = fc.record({
  /** When in its week it begins: at the first millisecond, in the middle or at the last millisecond. */
  begins: fc.constantFrom(0, WEEK_MS / 2, WEEK_MS - 1),
  /** Its id is a millisecond later than the id of its event. */
  isLater: fc.boolean(),
  /** An operator sends an existing event to one more consumer. */
  isCopy: fc.boolean(),
  failures: fc.nat(3),
  weeksPending: fc.oneof(fc.constant(0), fc.nat(WEEKS)),
  end: fc.constantFrom('delivered' as const, 'dead' as const),
  weeksToReplay: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 20 })),
  weeksInReplay: fc.nat(15),
});
type Course = typeof course extends fc.Arbitrary<infer T> ? T : never;
const halfYear = fc.array(
  fc.record({ isScheduled: fc.boolean(), arrivals: fc.array(course, { maxLength: 2 }) }),
  { minLength: WEEKS, maxLength: WEEKS },
);

interface Delivery {
  readonly id: string;
  readonly week: number;
  readonly eventId: string;
  readonly eventAtMs: number;
  readonly eventWeek: number;
  readonly course: Course;
  attempts: number;
  isPending: boolean;
  /** The week in which it ends or is retried. */
  nextChangeIn: number | null;
  isReplayed: boolean;
}

/** The ids that each table holds. */
type HeldIds = Readonly<
  Record<'pending' | 'finished' | 'attempts' | 'events' | 'payments', readonly string[]>
>;

const dispatcher = await startDispatcherInProcess();

/** An installation that lives through one week at a time, and a model of what it must hold. */
class Installation {
  private readonly deliveries: Delivery[] = [];
  private readonly droppedWeeks = new Set<number>();
  private readonly trimmedPayments = new Set<string>();
  private scheduledIn = -Infinity;

  constructor(private readonly consumerId: string) {}

  async passWeek(
    week: number,
    isScheduled: boolean,
    arrivals: readonly Course[],
  ): Promise<{ found: HeldIds; expected: HeldIds }> {
    const now = new Date(week * WEEK_MS + WEEK_MS - 1);
    if (isScheduled || week - this.scheduledIn >= WEEKS_AHEAD) {
      await ensurePartitions(dispatcher.db, new Date(week * WEEK_MS), WEEKS_AHEAD);
      this.scheduledIn = week;
    }
    for (const arrival of arrivals) await this.arrive(week, arrival);
    for (const delivery of this.deliveries) {
      if (delivery.nextChangeIn !== week) continue;
      if (delivery.isPending) await this.end(delivery, week);
      else await this.replay(delivery, week);
    }
    await this.sweep(now);
    return { found: await this.found(), expected: this.expected(now.getTime() - RETENTION_DAYS * DAY_MS) };
  }

  private async arrive(week: number, given: Course): Promise<void> {
    const at = week * WEEK_MS + given.begins;
    const id = uuidv7({ msecs: given.isLater ? at + 1 : at });
    const existing = given.isCopy
      ? this.deliveries.find(({ eventWeek }) => !this.droppedWeeks.has(eventWeek))
      : undefined;
    const eventId = existing?.eventId ?? uuidv7({ msecs: at });
    if (existing === undefined) {
      await sql`
        insert into events (id, event_type, payment_id, number, event_at, accepted_at, producer, body, consumer_ids, delivery_ids)
        values (${eventId}, 'ach.status', ${eventId}, 1, now(), ${new Date(at)}, 'hub', ${bodyOf(eventId)}, '{}', array[${id}::uuid])`.execute(
        dispatcher.db,
      );
      await sql`
        insert into payments (event_type, payment_id, last_number, company_ids, consumer_ids, updated_at)
        values ('ach.status', ${eventId}, 1, '{}', array[${this.consumerId}::uuid], ${new Date(at)})`.execute(
        dispatcher.db,
      );
    }
    if (existing !== undefined)
      await sql`update events set added_delivery_ids = added_delivery_ids || ${id}::uuid where id = ${eventId}`.execute(
        dispatcher.db,
      );
    await sql`
      insert into pending_deliveries (id, event_id, consumer_id, event_type, payment_id, number)
      values (${id}, ${eventId}, ${this.consumerId}, 'ach.status', ${eventId}, 1)`.execute(dispatcher.db);
    const delivery: Delivery = {
      id,
      week: Math.floor((given.isLater ? at + 1 : at) / WEEK_MS),
      eventId,
      eventAtMs: existing?.eventAtMs ?? at,
      eventWeek: existing?.eventWeek ?? week,
      course: given,
      attempts: 0,
      isPending: true,
      nextChangeIn: week + given.weeksPending,
      isReplayed: false,
    };
    this.deliveries.push(delivery);
    for (let failure = 0; failure < given.failures; failure += 1)
      await this.attempt(delivery, { retryInMs: 0, spendsAttempt: true });
  }

  /** Fetches the delivery and records the attempt. @throws when the fetched delivery is wrong */
  private async attempt(delivery: Delivery, next: AttemptResult['next']): Promise<void> {
    const fetched = await attempt(dispatcher.pipeline, delivery.id, next);
    if (fetched.attempts !== delivery.attempts) throw new Error('the fetched attempts are wrong');
    if (fetched.body !== bodyOf(delivery.eventId)) throw new Error('the fetched body is wrong');
    delivery.attempts += 1;
  }

  private async end(delivery: Delivery, week: number): Promise<void> {
    await this.attempt(delivery, { state: delivery.course.end });
    delivery.isPending = false;
    const { weeksToReplay } = delivery.course;
    delivery.nextChangeIn = delivery.isReplayed || weeksToReplay === null ? null : week + weeksToReplay;
  }

  private async replay(delivery: Delivery, week: number): Promise<void> {
    const { kind } = await retryDelivery(dispatcher.db, delivery.id, { force: true }, AUDIT);
    const isKept = !this.droppedWeeks.has(delivery.week);
    const expectedKind = this.droppedWeeks.has(delivery.eventWeek) ? 'event_gone' : 'done';
    if (kind !== (isKept ? expectedKind : 'unknown')) throw new Error(`the retry returned ${kind}`);
    delivery.isReplayed = true;
    delivery.isPending = kind === 'done';
    delivery.nextChangeIn = delivery.isPending ? week + delivery.course.weeksInReplay : null;
  }

  private async sweep(now: Date): Promise<void> {
    await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS);
    await trimPayments(dispatcher.db, now, RETENTION_DAYS, 5_000);
    const needed = new Set(
      this.deliveries
        .filter(({ isPending }) => isPending)
        .flatMap(({ week, eventWeek }) => [week, eventWeek]),
    );
    for (const { week, eventWeek } of this.deliveries) {
      for (const used of [week, eventWeek]) {
        const isOver = (used + 1) * WEEK_MS <= now.getTime() - RETENTION_DAYS * DAY_MS;
        if (isOver && !needed.has(used)) this.droppedWeeks.add(used);
      }
    }
  }

  private async found(): Promise<HeldIds> {
    const ids = this.deliveries.map(({ id }) => id);
    const events = this.deliveries.map(({ eventId }) => eventId);
    return {
      pending: await idsIn('pending_deliveries', 'id', ids),
      finished: await idsIn('deliveries', 'id', ids),
      attempts: await idsIn('attempts', 'delivery_id', ids),
      events: await idsIn('events', 'id', events),
      payments: await idsIn('payments', 'payment_id', events),
    };
  }

  private expected(retentionStartMs: number): HeldIds {
    const pending = this.deliveries.filter(({ isPending }) => isPending);
    const kept = this.deliveries.filter(({ week }) => !this.droppedWeeks.has(week));
    const events = this.deliveries.filter(({ eventWeek }) => !this.droppedWeeks.has(eventWeek));
    // A payment is trimmed when it is past retention and has no pending delivery. A retry does not restore it.
    const needed = new Set(pending.map(({ eventId }) => eventId));
    for (const { eventId, eventAtMs } of this.deliveries) {
      if (eventAtMs < retentionStartMs && !needed.has(eventId)) this.trimmedPayments.add(eventId);
    }
    const payments = this.deliveries.filter(({ eventId }) => !this.trimmedPayments.has(eventId));
    return {
      pending: pending.map(({ id }) => id).toSorted(),
      finished: kept.flatMap(({ id, isPending }) => (isPending ? [] : [id])).toSorted(),
      attempts: kept.flatMap(({ id, attempts }) => Array.from({ length: attempts }, () => id)).toSorted(),
      events: [...new Set(events.map(({ eventId }) => eventId))].toSorted(),
      payments: [...new Set(payments.map(({ eventId }) => eventId))].toSorted(),
    };
  }
}

const bodyOf = (eventId: string): string => `body of ${eventId}`;

async function idsIn(table: string, column: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select ${sql.id(column)}::text as id from ${sql.id(table)} where ${sql.id(column)}::text = any (${ids}::text[])`.execute(
    dispatcher.db,
  );
  return rows.map(({ id }) => id).toSorted();
}

it('half a year of retention removes no unfinished delivery, and removes finished data with its week', async () => {
  await fc.assert(
    fc.asyncProperty(halfYear, async (weeks) => {
      const installation = new Installation((await Recipient.add(dispatcher)).id);
      for (const [index, { isScheduled, arrivals }] of weeks.entries()) {
        const { found, expected } = await installation.passWeek(FIRST_WEEK + index, isScheduled, arrivals);
        expect({ week: index, ...found }).toEqual({ week: index, ...expected });
      }
    }),
    // Each test run tries another half year: one takes seconds, and shrinking would take minutes.
    { numRuns: 1, endOnFailure: true },
  );
});
