import { expect, it } from 'vitest';
import fc from 'fast-check';
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
          const { state, ...attempts } = await sender.kept();
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
