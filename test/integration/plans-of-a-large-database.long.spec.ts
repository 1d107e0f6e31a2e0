import { expect, it } from 'vitest';
import { openDatabase } from '#libs/database';
import { sql } from 'kysely';
import { insertConsumer } from '#test/support/consumer-row';
import { addRows, growing, HotStatements, withoutAutovacuum } from '#test/support/hot-statements';
import { createTestDatabase } from '#test/support/test-database';

it('no statement of 1,000,000 analyzed rows a table reads more than in the empty tables', async () => {
  const database = await createTestDatabase();
  const db = openDatabase({ url: database.url, poolSize: 1, queryTimeoutMs: 0 });
  await withoutAutovacuum(db);
  const statements = new HotStatements(database.url, await insertConsumer(db));
  try {
    await statements.reads();
    const whenEmpty = await statements.reads();
    await addRows(db, 1_000_000);
    await sql`analyze`.execute(db);
    expect(growing(whenEmpty, await statements.reads())).toEqual([]);
  } finally {
    await Promise.all([statements.close(), db.destroy()]);
    await database.drop();
  }
}, 600_000);
