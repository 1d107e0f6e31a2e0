import { expect, it } from 'vitest';
import {
  EVENT_TYPES,
  HOLD_REASONS,
  newId,
  PENDING_STATES,
  ORDERINGS,
  type HoldReason,
  type PendingState,
} from '#libs/contracts';
import { DeliveriesRepository } from '#libs/database';
import { pendingStateOf } from '#libs/policy';
import fc from 'fast-check';
import { sql } from 'kysely';
import { insertConsumer } from '#test/support/consumer-row';
import { fileDatabase } from '#test/support/file-database';

const { db, reading } = await fileDatabase();

/** Ages in milliseconds; a negative age is in the future. */
const AGES = { due: [60_000, -60_000], seen: [-60_000, 4_000, 7_000, 60_000] } as const;
const age = fc.constantFrom(10_000, 50_000, 90_000);
const optionalAge = fc.option(age, { freq: 2, nil: null });

const situations = (seen: readonly number[]) =>
  fc.record({
    dispatcherPaused: fc.option(age, { freq: 1, nil: null }),
    consumers: fc.array(
      fc.record({
        ordering: fc.constantFrom(...ORDERINGS),
        paused: optionalAge,
        secretFault: optionalAge,
        circuitOpened: optionalAge,
      }),
      { minLength: 1, maxLength: 3 },
    ),
    deliveries: fc.array(
      fc.record({
        consumer: fc.nat(2),
        type: fc.constantFrom(...EVENT_TYPES),
        payment: fc.option(fc.constantFrom('P-1', 'P-2'), { freq: 4, nil: null }),
        due: fc.constantFrom(...AGES.due),
        created: fc.constantFrom(70_000, 80_000),
        pendingSince: fc.constantFrom(30_000, 80_000),
        recordRefused: fc.option(age, { freq: 5, nil: null }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    workers: fc.array(
      fc.record({
        seen: fc.constantFrom(...seen),
        sending: fc.array(fc.nat(7), { maxLength: 2 }),
        atLimit: fc.array(fc.nat(2), { maxLength: 2 }),
      }),
      { maxLength: 2 },
    ),
  });

type Situation = ReturnType<typeof situations> extends fc.Arbitrary<infer S> ? S : never;

interface ShownState {
  readonly id: string;
  readonly state: PendingState;
  readonly hold_reason: HoldReason | null;
  readonly held_since: Date | null;
  readonly next_attempt_at: Date | null;
}

const TABLES = ['workers', 'pending_deliveries', 'consumer_credentials', 'consumer_runtime', 'consumers'];

/** Replaces the previous situation. @returns the states that `pendingStateOf` reports for its deliveries at a time */
function writeSituation(situation: Situation): Promise<(now: Date) => ShownState[]> {
  const start = Date.now();
  const ago = (ms: number): Date => new Date(start - ms);
  const agoOrNull = (ms: number | null): Date | null => (ms === null ? null : ago(ms));
  const dispatcherPausedAt = agoOrNull(situation.dispatcherPaused);

  return db.transaction().execute(async (trx) => {
    for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(trx);
    await trx.updateTable('dispatcher_state').set({ paused_at: dispatcherPausedAt }).execute();
    const consumers = await Promise.all(
      situation.consumers.map(async (given) => {
        const facts = {
          ordering: given.ordering,
          pausedAt: agoOrNull(given.paused),
          secretFaultAt: agoOrNull(given.secretFault),
          circuitOpenedAt: agoOrNull(given.circuitOpened),
        };
        return { ...facts, id: await insertConsumer(trx, facts) };
      }),
    );
    const deliveries = situation.deliveries.map((given, number) => ({
      id: newId(),
      consumerId: pick(consumers, given.consumer).id,
      eventType: given.type,
      paymentId: given.payment,
      number: given.payment === null ? null : number,
      nextAttemptAt: ago(given.due),
      createdAt: ago(given.created),
      pendingSince: ago(given.pendingSince),
      recordRefusedAt: agoOrNull(given.recordRefused),
    }));
    const workers = situation.workers.map((given) => ({
      seenAt: ago(given.seen),
      sending: given.sending.map((which) => pick(deliveries, which).id),
      atLimit: given.atLimit.map((which) => pick(consumers, which).id),
    }));
    for (const delivery of deliveries) {
      await trx
        .insertInto('pending_deliveries')
        .values({
          id: delivery.id,
          event_id: newId(),
          consumer_id: delivery.consumerId,
          event_type: delivery.eventType,
          payment_id: delivery.paymentId,
          number: delivery.number,
          status: null,
          next_attempt_at: delivery.nextAttemptAt,
          created_at: delivery.createdAt,
          pending_since: delivery.pendingSince,
          first_attempt_at: null,
          last_outcome: null,
          last_http_status: null,
        })
        .execute();
      const { id, recordRefusedAt } = delivery;
      await sql`
        update pending_deliveries
        set held_session = case when ${recordRefusedAt}::timestamptz is not null then 1 end,
            record_refused_at = ${recordRefusedAt}
        where id = ${id}`.execute(trx);
    }
    for (const { seenAt, sending, atLimit } of workers) {
      await trx
        .insertInto('workers')
        .values({
          id: newId(),
          host: 'here',
          pid: 1,
          concurrency: 8,
          seen_at: seenAt,
          sending,
          sessions: [],
          at_limit: atLimit,
        })
        .execute();
    }

    return (now) =>
      deliveries.map((delivery): ShownState => {
        const earlierIsPending = deliveries.some(
          (other) =>
            other.consumerId === delivery.consumerId &&
            other.eventType === delivery.eventType &&
            other.paymentId === delivery.paymentId &&
            (other.number ?? 0) < (delivery.number ?? 0),
        );
        const consumer = pick(
          consumers.filter(({ id }) => id === delivery.consumerId),
          0,
        );
        const pending = { ...delivery, earlierIsPending };
        const pendingState = pendingStateOf(pending, consumer, dispatcherPausedAt, workers, now);
        return {
          id: delivery.id,
          state: pendingState.state,
          hold_reason: pendingState.state === 'held' ? pendingState.reason : null,
          held_since: pendingState.state === 'held' ? pendingState.since : null,
          next_attempt_at: pendingState.state === 'queued' ? pendingState.nextAttemptAt : null,
        };
      });
  });
}

function pick<T>(list: readonly T[], which: number): T {
  const [one] = list.slice(which % list.length);
  if (one === undefined) throw new Error('the list is empty');
  return one;
}

it('the view pending_delivery_states reports the same states as pendingStateOf', async () => {
  await fc.assert(
    fc.asyncProperty(situations(AGES.seen), async (situation) => {
      const expected = await writeSituation(situation);
      const { rows } = await sql<ShownState & { now: Date }>`
        select id, state, hold_reason, held_since, next_attempt_at, statement_timestamp() as now
        from pending_delivery_states order by id`.execute(db);
      const now = rows[0]?.now ?? new Date();
      expect(rows).toEqual(expected(now).map((shown) => ({ ...shown, now })));
    }),
    { numRuns: 100 },
  );
});

it('the list of deliveries filters by each pending state and each hold reason', async () => {
  const deliveries = new DeliveriesRepository(reading, db);
  // Time passes between the statements, so each worker is clearly alive or clearly gone.
  const seen = [-60_000, 60_000];
  await fc.assert(
    fc.asyncProperty(situations(seen), async (situation) => {
      const all = (await writeSituation(situation))(new Date());
      const found = async (filter: object): Promise<string[]> =>
        (await deliveries.list(filter, { offset: 0, limit: 100 })).map(({ id }) => id).toReversed();
      for (const state of PENDING_STATES) {
        expect(await found({ state })).toEqual(all.filter((one) => one.state === state).map(({ id }) => id));
      }
      for (const holdReason of HOLD_REASONS) {
        const held = all.filter((one) => one.hold_reason === holdReason).map(({ id }) => id);
        expect(await found({ holdReason })).toEqual(held);
      }
    }),
    { numRuns: 30 },
  );
});
