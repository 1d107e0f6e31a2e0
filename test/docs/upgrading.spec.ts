import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSchema, openDatabase } from '#libs/database';
import { blocksOf, PageSession } from '#test/support/documented-page';
import { runSql } from '#test/support/run-sql';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';

let folder: TemporaryFolder;
let database: TestDatabase;
let session: PageSession;

beforeAll(async () => {
  folder = await temporaryFolder('upgrading');
  database = await createTestDatabase();
  const { TEST_REDIS_URL } = process.env;
  session = PageSession.start(folder.path, { DATABASE_URL: database.url, REDIS_URL: TEST_REDIS_URL }, {});
  await session.run(`cd ${join(import.meta.dirname, '../..')}`);
});
afterAll(async () => {
  await session.end();
  await database.drop();
  await folder.remove();
});

test('each command of docs/upgrading.md works: the migration, expand and contract', async () => {
  const blocks = blocksOf('docs/upgrading.md');
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  expect(commands).toHaveLength(1);
  for (const command of commands) expect(await session.run(command)).toContain('nothing to migrate');
  const changes = blocks.filter(({ language }) => language === 'sql').map(({ text }) => text);
  expect(changes).toHaveLength(4);

  const db = openDatabase({ url: database.url, poolSize: 1 });
  try {
    for (const change of changes) {
      if (change.includes('not valid')) await checkSchema(db);
      await runSql(database.url, change);
    }
    await expect(checkSchema(db)).rejects.toMatchObject({ code: 'SCHEMA_TOO_NEW' });
  } finally {
    await db.destroy();
  }
});
