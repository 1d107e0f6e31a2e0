import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  dropOldPartitions,
  ensurePartitions,
  retryDelivery,
  trimPayments,
  type AttemptResult,
  type AuditEntry,
} from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { Recipient } from '#test/support/recipient';
import { startDispatcherInProcess, type DispatcherInProcess } from '#test/support/dispatcher-in-process';
import { attempt } from '#test/support/test-session';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const WEEKS = 27;
/** Far from the real one, whose partitions every database has. */
const FIRST_WEEK = Math.floor(Date.UTC(2031, 0, 6) / WEEK_MS);
const RETENTION_DAYS = 90;
/** The schedule may be away for so long: partitions are made that far ahead. */
const WEEKS_AHEAD = 8;
const AUDIT: AuditEntry = { actor: 'ann', action: 'act', target: 'it', address: null, details: {} };

/** What becomes of a delivery; times in weeks since the one before. */
const fate = fc.record({
  /** Where in its week it begins: at its first millisecond, in its middle, at its last one. */
  begins: fc.constantFrom(0, WEEK_MS / 2, WEEK_MS - 1),
  /** Its id is made a millisecond after its event's. */
  isLater: fc.boolean(),
  /** Sent by hand, of an event that is there already. */
  isCopy: fc.boolean(),
  failures: fc.nat(3),
  weeksPending: fc.oneof(fc.constant(0), fc.nat(WEEKS)),
  end: fc.constantFrom('delivered' as const, 'dead' as const),
  weeksToReplay: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 20 })),
  weeksInReplay: fc.nat(15),
});
type Fate = typeof fate extends fc.Arbitrary<infer T> ? T : never;
const months = fc.array(
  fc.record({ isScheduled: fc.boolean(), arrivals: fc.array(fate, { maxLength: 2 }) }),
  { minLength: WEEKS, maxLength: WEEKS },
);

interface Delivery {
  readonly id: string;
  readonly week: number;
  readonly eventId: string;
  readonly eventAtMs: number;
  readonly eventWeek: number;
  readonly fate: Fate;
  attempts: number;
  isPending: boolean;
  /** The week in which it ends, or is sent again. */
  turnsIn: number | null;
  isReplayed: boolean;
}

/** The ids that a table holds. */
type Holding = Readonly<
  Record<'pending' | 'finished' | 'attempts' | 'events' | 'payments', readonly string[]>
>;

let dispatcher: DispatcherInProcess;

beforeAll(async () => {
  dispatcher = await startDispatcherInProcess();
});
afterAll(() => dispatcher.close());

/** An installation whose weeks pass one by one, and what it has to hold. */
class Months {
  private readonly deliveries: Delivery[] = [];
  private readonly droppedWeeks = new Set<number>();
  private readonly trimmedPayments = new Set<string>();
  private scheduledIn = -Infinity;

  constructor(private readonly consumerId: string) {}

  async pass(
    week: number,
    isScheduled: boolean,
    arrivals: readonly Fate[],
  ): Promise<{ found: Holding; wanted: Holding }> {
    const now = new Date(week * WEEK_MS + WEEK_MS - 1);
    if (isScheduled || week - this.scheduledIn >= WEEKS_AHEAD) {
      await ensurePartitions(dispatcher.db, new Date(week * WEEK_MS), WEEKS_AHEAD);
      this.scheduledIn = week;
    }
    for (const arrival of arrivals) await this.arrive(week, arrival);
    for (const delivery of this.deliveries) {
      if (delivery.turnsIn !== week) continue;
      if (delivery.isPending) await this.end(delivery, week);
      else await this.replay(delivery, week);
    }
    await this.sweep(now);
    return { found: await this.found(), wanted: this.wanted(now.getTime() - RETENTION_DAYS * DAY_MS) };
  }

  private async arrive(week: number, given: Fate): Promise<void> {
    const at = week * WEEK_MS + given.begins;
    const id = uuidv7({ msecs: given.isLater ? at + 1 : at });
    const known = given.isCopy
      ? this.deliveries.find(({ eventWeek }) => !this.droppedWeeks.has(eventWeek))
      : undefined;
    const eventId = known?.eventId ?? uuidv7({ msecs: at });
    if (known === undefined) {
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
    if (known !== undefined)
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
      eventAtMs: known?.eventAtMs ?? at,
      eventWeek: known?.eventWeek ?? week,
      fate: given,
      attempts: 0,
      isPending: true,
      turnsIn: week + given.weeksPending,
      isReplayed: false,
    };
    this.deliveries.push(delivery);
    for (let failure = 0; failure < given.failures; failure += 1)
      await this.attempt(delivery, { retryInMs: 0, spendsAttempt: true });
  }

  /** Fetches it and records the attempt; what is fetched has all that it needs. */
  private async attempt(delivery: Delivery, next: AttemptResult['next']): Promise<void> {
    const fetched = await attempt(dispatcher.pipeline, delivery.id, next);
    if (fetched.attempts !== delivery.attempts) throw new Error('its attempts are not counted on');
    if (fetched.body !== bodyOf(delivery.eventId)) throw new Error('its envelope is another');
    delivery.attempts += 1;
  }

  private async end(delivery: Delivery, week: number): Promise<void> {
    await this.attempt(delivery, { state: delivery.fate.end });
    delivery.isPending = false;
    const { weeksToReplay } = delivery.fate;
    delivery.turnsIn = delivery.isReplayed || weeksToReplay === null ? null : week + weeksToReplay;
  }

  private async replay(delivery: Delivery, week: number): Promise<void> {
    const { kind } = await retryDelivery(dispatcher.db, delivery.id, { force: true }, AUDIT);
    const isThere = !this.droppedWeeks.has(delivery.week);
    const expected = this.droppedWeeks.has(delivery.eventWeek) ? 'event_gone' : 'done';
    if (kind !== (isThere ? expected : 'unknown')) throw new Error(`sent again, it is ${kind}`);
    delivery.isReplayed = true;
    delivery.isPending = kind === 'done';
    delivery.turnsIn = delivery.isPending ? week + delivery.fate.weeksInReplay : null;
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
      for (const its of [week, eventWeek]) {
        const isOver = (its + 1) * WEEK_MS <= now.getTime() - RETENTION_DAYS * DAY_MS;
        if (isOver && !needed.has(its)) this.droppedWeeks.add(its);
      }
    }
  }

  private async found(): Promise<Holding> {
    const ids = this.deliveries.map(({ id }) => id);
    const events = this.deliveries.map(({ eventId }) => eventId);
    return {
      pending: await among('pending_deliveries', 'id', ids),
      finished: await among('deliveries', 'id', ids),
      attempts: await among('attempts', 'delivery_id', ids),
      events: await among('events', 'id', events),
      payments: await among('payments', 'payment_id', events),
    };
  }

  private wanted(horizonMs: number): Holding {
    const pending = this.deliveries.filter(({ isPending }) => isPending);
    const kept = this.deliveries.filter(({ week }) => !this.droppedWeeks.has(week));
    const events = this.deliveries.filter(({ eventWeek }) => !this.droppedWeeks.has(eventWeek));
    // A payment goes when it had no news for long and nothing of it is pending; sending one again brings none back.
    const needed = new Set(pending.map(({ eventId }) => eventId));
    for (const { eventId, eventAtMs } of this.deliveries) {
      if (eventAtMs < horizonMs && !needed.has(eventId)) this.trimmedPayments.add(eventId);
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

async function among(table: string, column: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select ${sql.id(column)}::text as id from ${sql.id(table)} where ${sql.id(column)}::text = any (${ids}::text[])`.execute(
    dispatcher.db,
  );
  return rows.map(({ id }) => id).toSorted();
}

describe('over half a year', () => {
  it('nothing unfinished disappears, and what is finished and old goes with its week', async () => {
    await fc.assert(
      fc.asyncProperty(months, async (weeks) => {
        const installation = new Months((await Recipient.add(dispatcher)).id);
        for (const [index, { isScheduled, arrivals }] of weeks.entries()) {
          const { found, wanted } = await installation.pass(FIRST_WEEK + index, isScheduled, arrivals);
          expect({ week: index, ...found }).toEqual({ week: index, ...wanted });
        }
      }),
      // Another one at each run of the tests: half a year takes seconds, and shrinking would take minutes.
      { numRuns: 1, endOnFailure: true },
    );
  });
});
