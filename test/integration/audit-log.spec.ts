import { beforeAll, expect, it } from 'vitest';
import { recordAudit } from '#libs/database';
import { sql } from 'kysely';
import { fileDatabase } from '#test/support/file-database';

const { db } = await fileDatabase();

beforeAll(async () => {
  await recordAudit(db, {
    actor: 'ann',
    role: 'operator',
    action: 'consumer.changed',
    target: 'consumer:1',
    address: '127.0.0.1',
    details: { changed: ['name'] },
    before: { name: 'A' },
    after: { name: 'B' },
  });
});

const entries = async (): Promise<unknown[]> =>
  (await sql`select actor, role, action, before, after, details from audit_log`.execute(db)).rows;
const WRITTEN_ENTRIES = [
  {
    actor: 'ann',
    role: 'operator',
    action: 'consumer.changed',
    before: { name: 'A' },
    after: { name: 'B' },
    details: { changed: ['name'] },
  },
];

it.each([
  'update audit_log set actor = actor',
  'delete from audit_log',
  'truncate audit_log',
  `insert into audit_log (id, actor, action, target) overriding system value
   select id, 'another', action, target from audit_log on conflict (id) do update set actor = excluded.actor`,
  `merge into audit_log a using (select 1) x on true when matched then delete`,
  'with gone as (delete from audit_log returning 1) select from gone',
])('the audit log refuses this statement of its own owner: %s', async (statement) => {
  await expect(sql.raw(statement).execute(db)).rejects.toThrow(/takes new entries only/);
  expect(await entries()).toEqual(WRITTEN_ENTRIES);
});

it('the audit log refuses a deletion while session_replication_role is replica', async () => {
  await db.connection().execute(async (session) => {
    await sql`set session_replication_role = replica`.execute(session);
    await expect(sql`delete from audit_log`.execute(session)).rejects.toThrow(/delete is refused/);
    await sql`reset session_replication_role`.execute(session);
  });
  expect(await entries()).toEqual(WRITTEN_ENTRIES);
});

it('an audit entry is rolled back with the action that it records', async () => {
  await expect(
    db.transaction().execute(async (trx) => {
      await recordAudit(trx, { actor: 'x', action: 'x', target: 'x', address: null, details: {} });
      throw new Error('the action fails');
    }),
  ).rejects.toThrow('the action fails');
  expect(await entries()).toEqual(WRITTEN_ENTRIES);
});
