import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { wireExample } from '#libs/contracts';
import { claim, EventsRepository, insertAccepted, openDatabase, type Database } from '#libs/database';
import { sql } from 'kysely';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { accept, startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

let story: StoryInProcess;
let other: Database;

beforeAll(async () => {
  story = await startStoryInProcess();
  other = openDatabase({ url: story.databaseUrl, poolSize: 4, queryTimeoutMs: 0 });
});
afterAll(async () => {
  await other.destroy();
  await story.close();
});

const page = async (offset: number, limit: number): Promise<string[]> => {
  const rows = await story.app.get(EventsRepository, { strict: false }).list({}, { offset, limit });
  return rows.map((row) => row.id).slice(0, limit);
};
const listed = (): Promise<string[]> => page(0, 1_000);

async function acceptOne(paymentId: string): Promise<string> {
  const answer = await accept(story, wireExample({ paymentId }));
  if (answer.kind !== 'accepted') throw new Error('not accepted');
  return answer.notificationId;
}

/** An accept of another process that has written its event and not committed. */
async function acceptUnderWay(): Promise<{ id: string; commit: () => Promise<void> }> {
  const id = uuidv7();
  const trx = await other.startTransaction().execute();
  const event = { id, eventType: 'wire.status', paymentId: id, status: 'Review', producer: 'slow' } as const;
  const hash = Buffer.from(id);
  await claim(trx, [
    { ...event, notificationId: id, keyHash: hash, contentHash: hash, companyIds: [], consumerIds: [] },
  ]);
  await insertAccepted(trx, [
    { ...event, number: 1, traceNumber: null, imad: null, eventAt: new Date(), body: '{}', deliveries: [] },
  ]);
  return { id, commit: () => trx.commit().execute() };
}

describe('the list of events', () => {
  it('shows nothing that an older accept, still under way, would come before', async () => {
    const before = await acceptOne('L-1');
    const slow = await acceptUnderWay();
    const after = await acceptOne('L-2');
    expect(await listed()).toEqual([before]);
    await slow.commit();
    expect(await listed()).toEqual([after, slow.id, before]);
  });

  it('waits for the oldest of several accepts that are under way', async () => {
    const shown = await listed();
    const first = await acceptUnderWay();
    const second = await acceptUnderWay();
    const third = await acceptUnderWay();
    expect(await listed()).toEqual(shown);
    await second.commit();
    expect(await listed()).toEqual(shown);
    await first.commit();
    expect(await listed()).toEqual([second.id, first.id, ...shown]);
    await third.commit();
    expect(await listed()).toEqual([third.id, second.id, first.id, ...shown]);
  });

  it('is not held back by long transactions that accept nothing', async () => {
    const long = await other.startTransaction().execute();
    await sql`insert into audit_log (actor, action, target) values ('x', 'x', 'x')`.execute(long);
    const id = await acceptOne('L-3');
    expect((await listed())[0]).toBe(id);
    await long.rollback().execute();
  });

  it('misses none for whoever pages through it while events arrive, fast and slow', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 7 }) }),
      fc.record({ kind: fc.constantFrom('accept' as const, 'begin' as const), which: fc.nat() }),
      fc.record({ kind: fc.constant('commit' as const), which: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        for (let index = 0; index < 10; index += 1) await acceptOne(`P-${uuidv7()}`);
        const atFirst = await listed();
        const underWay: Awaited<ReturnType<typeof acceptUnderWay>>[] = [];
        const seen: string[] = [];
        const read = async (limit: number): Promise<number> => {
          const ids = await page(seen.length, limit);
          seen.push(...ids);
          return ids.length;
        };
        for (const { kind, ...given } of steps) {
          if (kind === 'read' && 'limit' in given) await read(given.limit);
          if (kind === 'accept') await acceptOne(`P-${uuidv7()}`);
          if (kind === 'begin' && underWay.length < 3) underWay.push(await acceptUnderWay());
          if (kind === 'commit' && 'which' in given) {
            await underWay.splice(given.which % Math.max(1, underWay.length), 1)[0]?.commit();
          }
        }
        for (const { commit } of underWay) await commit();
        while ((await read(50)) > 0);
        expect(atFirst.filter((id) => !seen.includes(id))).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });
});
