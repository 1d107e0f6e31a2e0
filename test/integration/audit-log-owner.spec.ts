import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  dropOldPartitions,
  ensurePartitions,
  migrateToLatest,
  openDatabase,
  recordAudit,
  type Database,
} from '#libs/database';
import { sql } from 'kysely';
import { blocksOf } from '#test/support/documented-page';
import { runSql } from '#test/support/run-sql';

const ADMIN_URL = process.env['TEST_PG_ADMIN_URL'] ?? '';
/** Roles are the whole server's, so this file has its own. */
const NAME = `owner_test_${String(process.pid)}`;

const urlOf = (user: string): string => {
  const url = new URL(ADMIN_URL);
  url.pathname = `/${NAME}`;
  if (user !== '') [url.username, url.password] = [user, 'p'];
  return url.href;
};

let db: Database;
beforeAll(async () => {
  await runSql(ADMIN_URL, `create database ${NAME}`);
  await runSql(urlOf(''), `create role ${NAME} login password 'p'`);
  await runSql(urlOf(''), `grant create on schema public to ${NAME}`);
  await migrateToLatest(urlOf(NAME));
  const [block] = blocksOf('SECURITY.md').filter(({ language }) => language === 'sql');
  await runSql(urlOf(''), block?.text.replaceAll(/\bdispatcher(?=_|;)/g, NAME) ?? '');
  db = openDatabase({ url: urlOf(NAME), poolSize: 2 });
});
afterAll(async () => {
  await db.destroy();
  await runSql(ADMIN_URL, `drop database ${NAME} with (force)`);
  await runSql(ADMIN_URL, `drop role ${NAME}, ${NAME}_audit`);
});

it.each([
  'update audit_log set actor = actor',
  'delete from audit_log',
  'truncate audit_log',
  'drop table audit_log',
  'alter table audit_log disable trigger audit_log_append_only',
  'drop trigger audit_log_append_only on audit_log',
  'drop function refuse_change_of_audit_log cascade',
  `create or replace function refuse_change_of_audit_log() returns trigger language plpgsql as 'begin return old; end'`,
])('the processes’ role without the audit log, as SECURITY.md makes it, may not: %s', async (statement) => {
  await expect(sql.raw(statement).execute(db)).rejects.toThrow(/permission denied|must be owner/);
});

it('the processes’ role without the audit log writes entries, makes and drops partitions, and migrates', async () => {
  const entry = { actor: 'ann', action: 'test', target: 'consumer:1', address: null, details: {} };
  await recordAudit(db, entry);
  const { rows } = await sql`select actor from audit_log`.execute(db);
  expect(rows).toEqual([{ actor: 'ann' }]);
  const inTenWeeks = new Date(Date.now() + 70 * 86_400_000);
  expect(await ensurePartitions(db, inTenWeeks)).toContainEqual(expect.stringMatching(/^attempts_\d{8}$/));
  expect(await dropOldPartitions(db, inTenWeeks, 30)).toContainEqual(expect.stringMatching(/^events_\d{8}$/));
  await migrateToLatest(urlOf(NAME));
});
