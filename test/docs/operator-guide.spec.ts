import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, lastJson, PageSession, shapeOf } from '#test/support/documented-page';
import { freePort } from '#test/support/free-port';
import { runSql } from '#test/support/run-sql';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';

const PROJECT = join(import.meta.dirname, '../..');

let folder: TemporaryFolder;
let database: TestDatabase;
let session: PageSession;

beforeAll(async () => {
  folder = await temporaryFolder('operator-guide');
  // The page's commands write next to package.json: the project's parts are linked into a folder of this test.
  for (const part of ['package.json', 'dist', 'node_modules'])
    symlinkSync(join(PROJECT, part), join(folder.path, part));
  database = await createTestDatabase();
  const { TEST_REDIS_URL } = process.env;
  session = PageSession.start(
    folder.path,
    { DATABASE_URL: database.url, REDIS_URL: TEST_REDIS_URL, QUEUE_NAMESPACE: 'operator_guide' },
    { 3000: await freePort(), 3001: await freePort(), 8080: await freePort() },
  );
});
afterAll(async () => {
  await session.end();
  await database.drop();
  await folder.remove();
});

test('each command of docs/operator-guide.md works as documented, from the secrets to a rotated keyring', async () => {
  const blocks = blocksOf('docs/operator-guide.md').filter(({ language }) => language === 'sh');
  expect(blocks.length).toBeGreaterThan(8);
  let rotation = '';
  for (const { text, expected } of blocks) {
    const printed = await session.run(text);
    expect(printed).not.toMatch(/"status":[45]\d\d/);
    rotation = text.includes('npm run reencrypt') ? printed : rotation;
    if (expected === undefined) continue;
    const sample: unknown = JSON.parse(expected);
    expect(shapeOf(lastJson(printed), sample)).toEqual(shapeOf(sample, sample));
  }
  expect(rotation).toContain('not in use: k1');
  const audited = await runSql<{ action: string }>(
    database.url,
    'select distinct action from audit_log order by action',
  );
  expect(audited.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['consumer.paused', 'consumer.resumed', 'credentials.reencrypted']),
  );
});
