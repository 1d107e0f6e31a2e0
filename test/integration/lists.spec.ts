import { expect, it } from 'vitest';
import { EventsRepository, type Database, type EventFilter, type ListedEventRow } from '#libs/database';
import { sql } from 'kysely';
import fc from 'fast-check';
import { acceptStatuses, newStatus } from '#test/support/new-status';
import { fileDatabase } from '#test/support/file-database';

const { db, reading } = await fileDatabase({ queryTimeoutMs: 0 });

const events = new EventsRepository(reading, db);

const rowsOf = (filter: EventFilter, offset: number, limit: number): Promise<ListedEventRow[]> =>
  events.list(filter, { offset, limit });
const page = async (offset: number, limit: number): Promise<string[]> =>
  (await rowsOf({}, offset, limit)).map((row) => row.id).slice(0, limit);
const listed = (): Promise<string[]> => page(0, 1_000);

async function acceptOne(): Promise<string> {
  const event = newStatus();
  await acceptStatuses(db, event);
  return event.id;
}

interface UncommittedAccept {
  readonly id: string;
  readonly commit: () => Promise<void>;
}

/** Begins the transaction of an accept in another process, which has written nothing yet. */
async function beginAccept(): Promise<{ write: () => Promise<UncommittedAccept> }> {
  const trx = await db.startTransaction().execute();
  // The first statement fixes the time of its transaction.
  await sql`select`.execute(trx);
  return { write: () => write(trx) };
}

/** Starts an accept in another process that has written its event and has not committed. */
const startAccept = async (): Promise<UncommittedAccept> => (await beginAccept()).write();

async function write(
  trx: Awaited<ReturnType<ReturnType<Database['startTransaction']>['execute']>>,
): Promise<UncommittedAccept> {
  const event = newStatus();
  await acceptStatuses(trx, event);
  return { id: event.id, commit: () => trx.commit().execute() };
}

it('the list of events hides events that are newer than an accept in progress, until it commits', async () => {
  const before = await acceptOne();
  const slow = await startAccept();
  const after = await acceptOne();
  expect(await listed()).toEqual([before]);
  await slow.commit();
  expect(await listed()).toEqual([after, slow.id, before]);
});

it('the list of events shows new events while a long transaction only reads', async () => {
  const long = await db.startTransaction().execute();
  await sql`select from events`.execute(long);
  const id = await acceptOne();
  expect((await listed())[0]).toBe(id);
  await long.rollback().execute();
});

it('a client that pages through the list of events misses none while fast and slow accepts add more', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 7 }) }),
    fc.record({ kind: fc.constantFrom('accept' as const, 'begin' as const), which: fc.nat() }),
    fc.record({ kind: fc.constant('commit' as const), which: fc.nat() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      for (let index = 0; index < 10; index += 1) await acceptOne();
      const listedAtStart = await listed();
      const uncommitted: Awaited<ReturnType<typeof startAccept>>[] = [];
      const seen: string[] = [];
      const read = async (limit: number): Promise<number> => {
        const ids = await page(seen.length, limit);
        seen.push(...ids);
        return ids.length;
      };
      for (const { kind, ...given } of steps) {
        if (kind === 'read' && 'limit' in given) await read(given.limit);
        if (kind === 'accept') await acceptOne();
        if (kind === 'begin' && uncommitted.length < 3) uncommitted.push(await startAccept());
        if (kind === 'commit' && 'which' in given) {
          await uncommitted.splice(given.which % Math.max(1, uncommitted.length), 1)[0]?.commit();
        }
      }
      for (const { commit } of uncommitted) await commit();
      while ((await read(50)) > 0);
      expect(listedAtStart.filter((id) => !seen.includes(id))).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

it('the list of events never changes a range that it has shown, in any order of begins, writes and commits', async () => {
  const kinds = ['begin', 'write', 'commit', 'accept', 'read'] as const;
  const step = fc.record({ kind: fc.constantFrom(...kinds), which: fc.nat() });
  const from = new Date();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const begun: Awaited<ReturnType<typeof beginAccept>>[] = [];
      const written: UncommittedAccept[] = [];
      const shown: { to: Date; ids: readonly string[] }[] = [];
      const range = async (to: Date): Promise<string[]> =>
        (await rowsOf({ from, to }, 0, 1_000)).map((row) => row.id);
      const writeOne = async (which: number): Promise<void> => {
        const [chosen] = begun.splice(which % Math.max(1, begun.length), 1);
        if (chosen !== undefined) written.push(await chosen.write());
      };
      for (const { kind, which } of steps) {
        if (kind === 'begin' && begun.length + written.length < 3) begun.push(await beginAccept());
        if (kind === 'write') await writeOne(which);
        if (kind === 'commit') await written.splice(which % Math.max(1, written.length), 1)[0]?.commit();
        if (kind === 'accept') await acceptOne();
        if (kind === 'read') {
          const to = (await rowsOf({ from }, 0, 1))[0]?.accepted_at;
          if (to !== undefined) shown.push({ to, ids: await range(to) });
        }
      }
      while (begun.length > 0) await writeOne(0);
      for (const { commit } of written) await commit();
      for (const { to, ids } of shown) expect(await range(to)).toEqual(ids);
    }),
    { numRuns: 25 },
  );
});
