import { expect, it } from 'vitest';
import fc from 'fast-check';
import { sql } from 'kysely';
import { cancelDelivery, recordAttempts, retryDelivery, type AttemptResult } from '#libs/database';
import { OverlappingSender } from '#test/support/overlapping-sender';
import { fileDatabase } from '#test/support/file-database';
import { AUDIT } from '#test/support/actor';
import { DEAD, DELIVERED, LATER } from '#test/support/test-session';

const { db, pipeline } = await fileDatabase();

/** Records are made more often than the rest, so that not all sends are in flight at the end. */
const STEPS = ['send', 'send', 'record', 'record', 'record', 'again', 'cancel', 'retry', 'force'] as const;
const RESULTS = [DELIVERED, LATER, DEAD] as const;

it('any order of sends, records, cancellations and retries keeps each attempt once, and cancels nothing acknowledged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ kind: fc.constantFrom(...STEPS), which: fc.nat({ max: 8 }) }), { maxLength: 30 }),
      async (steps) => {
        const sender = await OverlappingSender.add(pipeline);
        const inFlight: AttemptResult[] = [];
        const recorded: AttemptResult[] = [];
        const record = async (which: number): Promise<void> => {
          const [result] = inFlight.splice(which % Math.max(1, inFlight.length), 1);
          if (result === undefined) return;
          await recordAttempts(pipeline, [result]);
          recorded.push(result);
        };
        const recordAgain = async (which: number): Promise<void> => {
          const result = recorded[which % Math.max(1, recorded.length)];
          if (result !== undefined) await recordAttempts(pipeline, [result]);
        };
        const send = async (which: number): Promise<void> => {
          const result = await sender.send(RESULTS[which % RESULTS.length] ?? DELIVERED);
          if (result !== undefined) inFlight.push(result);
        };
        const isAcknowledged = (): boolean => recorded.some(({ outcome }) => outcome === 'acknowledged');
        const run = (kind: (typeof STEPS)[number], which: number): Promise<unknown> => {
          switch (kind) {
            case 'send':
              return send(which);
            case 'record':
              return record(which);
            case 'again':
              return recordAgain(which);
            case 'cancel':
              return cancelDelivery(db, sender.id, AUDIT);
            case 'retry':
              return retryDelivery(db, sender.id, { force: false }, AUDIT);
            case 'force':
              return retryDelivery(db, sender.id, { force: true }, AUDIT);
          }
        };
        for (const { kind, which } of steps) {
          await run(kind, which);
          const { state, isDue: _isDue, ...attempts } = await sender.kept();
          expect(attempts).toEqual({
            counted: recorded.length,
            outcomes: recorded.map(({ outcome }) => outcome),
            numbers: recorded.map((_, index) => index + 1),
          });
          expect(isAcknowledged() && state === 'cancelled').toBe(false);
        }
        while (inFlight.length > 0) await record(0);
        await cancelDelivery(db, sender.id, AUDIT);
        const { state, counted } = await sender.kept();
        expect({ state, counted }).toEqual({
          state: isAcknowledged() ? 'delivered' : 'cancelled',
          counted: recorded.length,
        });
      },
    ),
    { numRuns: 60 },
  );
});

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
  await cancelDelivery(db, cancelled.id, AUDIT);
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

it('a late failure changes neither the time nor the schedule that a later attempt has decided', async () => {
  const sender = await OverlappingSender.add(pipeline);
  const former = await sender.sent(DEAD);
  await cancelDelivery(db, sender.id, AUDIT);
  await retryDelivery(db, sender.id, { force: false }, AUDIT);
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
  await cancelDelivery(db, sender.id, AUDIT);
  await retryDelivery(db, sender.id, { force: false }, AUDIT);
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
