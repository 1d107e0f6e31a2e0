import { describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import {
  cancelDelivery,
  recordAttempts,
  retryDelivery,
  type AttemptResult,
  type Database,
} from '#libs/database';
import { everySchedule } from '#test/support/every-schedule';
import { OverlappingSender } from '#test/support/overlapping-sender';
import { fileDatabase } from '#test/support/file-database';
import { AUDIT } from '#test/support/actor';
import { DEAD, DELIVERED, LATER } from '#test/support/test-session';
import { steppedConnections } from '#test/support/stepped-work';

const { url, db, pipeline } = await fileDatabase();

const stepped = steppedConnections(url, db);

const cancel = (over: Database, id: string) => cancelDelivery(over, id, AUDIT);
const retry = (over: Database, id: string) => retryDelivery(over, id, { force: false }, AUDIT);

const outcomeOf = (next: AttemptResult['next']): string =>
  next === DELIVERED ? 'acknowledged' : 'http_status';

describe('an attempt in flight while its delivery is ended and opened again', () => {
  it.each([
    { what: 'is acknowledged', next: DELIVERED, states: ['delivered'], end: 'delivered' },
    { what: 'fails for the last time', next: DEAD, states: ['dead', 'pending'], end: 'cancelled' },
    { what: 'fails', next: LATER, states: ['pending'], end: 'cancelled' },
  ])(
    'every order of its record and a cancellation and a retry keeps an attempt that $what',
    async ({ next, states, end }) => {
      const seen = new Set<string>();
      await everySchedule(async (schedule) => {
        const sender = await OverlappingSender.add(pipeline);
        const result = await sender.sent(next);
        await schedule.both(
          stepped.one.begin(async (over) => {
            await cancel(over, sender.id);
            await retry(over, sender.id);
          }),
          stepped.two.begin((_db, over) => recordAttempts(over, [result])),
        );
        const { state, ...recorded } = await sender.kept();
        expect(recorded).toEqual({ counted: 1, outcomes: [outcomeOf(next)], numbers: [1] });
        seen.add(state);
        await cancel(db, sender.id);
        expect((await sender.kept()).state).toBe(end);
      }, 2);
      expect([...seen].toSorted()).toEqual(states);
    },
  );

  it.each([
    { first: DELIVERED, second: LATER, what: 'the first is acknowledged and the second fails' },
    {
      first: DELIVERED,
      second: DEAD,
      what: 'the first is acknowledged and the second fails for the last time',
    },
    { first: LATER, second: DELIVERED, what: 'the first fails and the second is acknowledged' },
    { first: DEAD, second: LATER, what: 'the first fails for the last time and the second fails' },
    { first: DELIVERED, second: DELIVERED, what: 'both are acknowledged' },
  ])(
    'every order of a cancellation and the records of two attempts with the same number keeps both when $what',
    async ({ first, second }) => {
      await everySchedule(async (schedule) => {
        const sender = await OverlappingSender.add(pipeline);
        const former = await sender.sent(first);
        await cancel(db, sender.id);
        await retry(db, sender.id);
        const latter = await sender.sent(second);
        expect(latter.number).toBe(former.number);
        const works = {
          cancel: stepped.one.begin((over) => cancel(over, sender.id)),
          former: stepped.two.begin((_db, over) => recordAttempts(over, [former])),
          latter: stepped.three.begin((_db, over) => recordAttempts(over, [latter])),
        };
        await schedule.run(works);
        await Promise.all([works.cancel.result, works.former.result, works.latter.result]);
        const { state, outcomes, ...recorded } = await sender.kept();
        expect({ ...recorded, outcomes: outcomes.toSorted() }).toEqual({
          counted: 2,
          numbers: [1, 2],
          outcomes: [outcomeOf(first), outcomeOf(second)].toSorted(),
        });
        expect(state).toBe([first, second].includes(DELIVERED) ? 'delivered' : 'cancelled');
      }, 1);
    },
  );

  it('a batch records the result of a cancelled delivery beside others, and once when it is recorded again', async () => {
    const senders = [
      await OverlappingSender.add(pipeline),
      await OverlappingSender.add(pipeline),
      await OverlappingSender.add(pipeline),
    ];
    const results = await Promise.all(
      senders.map((sender, index) => sender.sent(index === 2 ? LATER : DELIVERED)),
    );
    const [, cancelled] = senders;
    if (cancelled === undefined) throw new Error('there are three');
    await cancel(db, cancelled.id);
    for (const _ of [1, 2]) {
      const { held } = await recordAttempts(pipeline, results);
      expect(held).toEqual(new Set(results.map(({ consumerId }) => consumerId)));
      const shown = await Promise.all(senders.map((sender) => sender.kept()));
      expect(shown.map(({ state, numbers }) => [state, numbers])).toEqual([
        ['delivered', [1]],
        ['delivered', [1]],
        ['pending', [1]],
      ]);
    }
  });

  it('every order of two records of the same result of a cancelled delivery keeps the attempt once', async () => {
    await everySchedule(async (schedule) => {
      const sender = await OverlappingSender.add(pipeline);
      const result = await sender.sent(LATER);
      await cancel(db, sender.id);
      await schedule.both(
        stepped.one.begin((_db, over) => recordAttempts(over, [result])),
        stepped.two.begin((_db, over) => recordAttempts(over, [result])),
      );
      expect(await sender.kept()).toEqual({
        state: 'cancelled',
        counted: 1,
        outcomes: ['http_status'],
        numbers: [1],
      });
    });
  });

  it('a late failure changes neither the time nor the schedule that a later attempt has decided', async () => {
    const sender = await OverlappingSender.add(pipeline);
    const former = await sender.sent(DEAD);
    await cancel(db, sender.id);
    await retry(db, sender.id);
    await recordAttempts(pipeline, [await sender.sent(LATER)]);
    const plan = () =>
      db
        .selectFrom('pending_deliveries')
        .select(['next_attempt_at', 'schedule_step', 'pending_since'])
        .where('id', '=', sender.id)
        .executeTakeFirstOrThrow();
    const before = await plan();
    await recordAttempts(pipeline, [former]);
    expect(await plan()).toEqual(before);
    expect(await sender.kept()).toMatchObject({ counted: 2, numbers: [1, 2] });
  });

  it('a delivery that is dead, settled and then acknowledged by an attempt in flight is delivered, and not settled', async () => {
    const sender = await OverlappingSender.add(pipeline);
    const former = await sender.sent(DELIVERED);
    await cancel(db, sender.id);
    await retry(db, sender.id);
    await recordAttempts(pipeline, [await sender.sent(DEAD)]);
    await sql`update deliveries set settled_at = now(), settled_by = 'ann', settle_reason = 'by file'
              where id = ${sender.id}`.execute(db);
    await recordAttempts(pipeline, [former]);
    const row = await db
      .selectFrom('deliveries')
      .selectAll()
      .where('id', '=', sender.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      state: 'delivered',
      end_reason: 'acknowledged',
      attempts: 2,
      last_outcome: 'acknowledged',
      last_http_status: 200,
      settled_at: null,
      settled_by: null,
      settle_reason: null,
    });
  });
});
