import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '#libs/database';
import { sql } from 'kysely';
import { insertConsumer } from '#test/support/consumer-row';
import { addRows, growing, HotStatements, withoutAutovacuum, type Reads } from '#test/support/hot-statements';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';

let database: TestDatabase;
let db: Database;
let early: HotStatements;
let late: HotStatements;
/** What each statement read in the empty database. */
let whenEmpty: Record<string, Reads>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolSize: 1, queryTimeoutMs: 0 });
  await withoutAutovacuum(db);
  const consumerId = await insertConsumer(db);
  await sql`vacuum analyze`.execute(db);
  early = new HotStatements(database.url, consumerId);
  // Its connections make their plans here and keep them.
  await early.reads();
  whenEmpty = await early.reads();
  await addRows(db, 100_000);
  late = new HotStatements(database.url, consumerId);
}, 120_000);
afterAll(async () => {
  await Promise.all([early.close(), late.close(), db.destroy()]);
  await database.drop();
});

describe('a database that has grown from nothing to 100,000 rows a table without an analyze', () => {
  it('no statement of a connection that planned in the empty tables reads more than it did there', async () => {
    expect(growing(whenEmpty, await early.fewestReads())).toEqual([]);
  });

  it('no statement of a new connection reads more than in the empty tables', async () => {
    expect(growing(whenEmpty, await late.fewestReads())).toEqual([]);
  });
});

it('no statement of 100,000 analyzed rows a table reads more than in the empty tables', async () => {
  await sql`analyze`.execute(db);
  for (const statements of [early, late])
    expect(growing(whenEmpty, await statements.fewestReads())).toEqual([]);
});

// The id was in pending_deliveries_due, an index that stays small, since fetches clean up what they meet. The planner, for one row, preferred
// it to a primary key's index of many empty pages, and each look-up by id read all of it until the next analyze.
it.each([
  { which: 'nearly all', kept: 1 },
  { which: 'all', kept: 0 },
])(
  'no step of the engine that is planned after $which deliveries have ended reads a later backlog',
  async ({ kept }) => {
    await sql`
    delete from pending_deliveries
    where id not in (select id from pending_deliveries order by id desc limit ${kept}::int)`.execute(db);
    await sql`vacuum (analyze, truncate off) pending_deliveries`.execute(db);
    await sql`reindex index pending_deliveries_due`.execute(db);
    await late.reads();
    await addRows(db, 100_000);
    const more = growing(whenEmpty, await late.fewestReads()).map(({ title }) => title);
    expect(
      more.filter((title) => /^(accept|first request|past|open|fetch|park|record|leave)/.test(title)),
    ).toEqual([]);
  },
);
