import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase, pipelined, type Database } from '#libs/database';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolSize: 1 });
  await sql`create table notes (id int primary key)`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  await sql`truncate notes`.execute(db);
});

const insert = (trx: Database, id: number): Promise<unknown> =>
  sql`insert into notes values (${id})`.execute(trx);
const ids = async (handle: Database = db): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select id from notes order by id`.execute(handle);
  return rows.map((row) => row.id);
};

describe('a pipelined transaction', () => {
  it('runs what is started together in that order, each in a snapshot that sees the one before', async () => {
    const seen = await pipelined(db, async (trx, commit) => {
      const inserting = insert(trx, 1);
      const between = ids(trx);
      const more = insert(trx, 2);
      const last = ids(trx);
      commit();
      await Promise.all([inserting, more]);
      return [await between, await last];
    });
    expect(seen).toEqual([[1], [1, 2]]);
    expect(await ids()).toEqual([1, 2]);
  });

  it('is one transaction: nothing is seen outside before its commit', async () => {
    const outside = openDatabase({ url: database.url, poolSize: 1 });
    try {
      await pipelined(db, async (trx) => {
        await insert(trx, 1);
        expect(await ids(outside)).toEqual([]);
      });
      expect(await ids(outside)).toEqual([1]);
    } finally {
      await outside.destroy();
    }
  });

  it.each([
    { which: 'the first', inserted: [1, 2, 3] },
    { which: 'the last, with the commit behind it', inserted: [2, 3, 1] },
  ])('keeps nothing when a statement fails, $which, and tells of that one', async ({ inserted }) => {
    await insert(db, 1);
    const failing = pipelined(db, async (trx, commit) => {
      const all = inserted.map((id) => insert(trx, id));
      commit();
      await Promise.all(all);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await ids()).toEqual([1]);
  });

  it('prepares a statement that was skipped when it is sent again', async () => {
    await insert(db, 1);
    const named = (trx: Database) => sql`/* skipped-once */ select ${'seen'}::text as seen`.execute(trx);
    const failing = pipelined(db, async (trx, commit) => {
      const all = [insert(trx, 1), named(trx)];
      commit();
      await Promise.all(all);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    for (let time = 0; time < 2; time += 1) {
      const { rows } = await pipelined(db, (trx) => named(trx));
      expect(rows).toEqual([{ seen: 'seen' }]);
    }
  });

  it('rolls back when the work throws, and leaves the connection fit for others', async () => {
    const failing = pipelined(db, async (trx) => {
      await insert(trx, 1);
      throw new Error('it was decided otherwise');
    });
    await expect(failing).rejects.toThrow('it was decided otherwise');
    expect(await ids()).toEqual([]);
    await pipelined(db, (trx) => insert(trx, 2));
    expect(await ids()).toEqual([2]);
  });

  it('is not called committed when somebody has swallowed the fault of a statement', async () => {
    const work = pipelined(db, async (trx) => {
      await insert(trx, 1);
      await insert(trx, 1).catch(() => undefined);
      return 'done';
    });
    await expect(work).rejects.toThrow('one of its statements had failed');
    expect(await ids()).toEqual([]);
  });

  it('fails when its connection breaks in the middle, and the next one has another', async () => {
    const broken = pipelined(db, async (trx) => {
      await insert(trx, 1);
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
    });
    await expect(broken).rejects.toThrow(/terminat/);
    await pipelined(db, (trx) => insert(trx, 2));
    expect(await ids()).toEqual([2]);
  });
});
