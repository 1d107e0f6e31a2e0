import { expect, it } from 'vitest';
import { AuditRepository, recordAudit, type Queryable } from '#libs/database';
import { waitUntil } from '#test/support/wait-until';
import { fileDatabase } from '#test/support/file-database';

const { db, reading } = await fileDatabase({ queryTimeoutMs: 0 });

const audit = new AuditRepository(reading, db);

const write = (trx: Queryable, actor: string): Promise<void> =>
  recordAudit(trx, { actor, action: 'consumer.changed', target: 'queue', address: null, details: {} });

async function read(after: string, limit = 1_000): Promise<{ id: string; actor: string }[]> {
  const found: { id: string; actor: string }[] = [];
  for await (const rows of audit.entries((await audit.after(after, {}, limit)).slice(0, limit)))
    found.push(...rows.map(({ id, actor }) => ({ id, actor })));
  return found;
}

/** A transaction that has written an entry. `end` commits it. */
async function openTransaction(actor: string): Promise<{ end: () => Promise<void> }> {
  const trx = await db.startTransaction().execute();
  await write(trx, actor);
  return { end: () => trx.commit().execute() };
}

it('the audit stream holds an entry back until every older writer has ended, and keeps their order', async () => {
  await write(db, 'first');
  const [first] = await waitUntil(
    async () => {
      const shown = await read('0');
      return shown.length === 1 && shown;
    },
    { what: 'the first entry to be listed' },
  );
  const early = await openTransaction('early');
  await write(db, 'late');
  expect(await read(first?.id ?? '')).toEqual([]);
  await early.end();
  const both = await waitUntil(
    async () => {
      const shown = await read(first?.id ?? '');
      return shown.length === 2 && shown;
    },
    { what: 'both entries to be listed' },
  );
  expect(both.map(({ actor }) => actor)).toEqual(['early', 'late']);
  expect((await read('0', 2)).map(({ actor }) => actor)).toEqual(['first', 'early']);
  expect((await audit.after('0', {}, 2)).length).toBe(3);
  expect(await audit.after('0', { actor: 'LAT' }, 2)).toMatchObject([{ id: both[1]?.id }]);
});

it('the audit stream misses and repeats no entry while many transactions commit in any order', async () => {
  const writers = 8;
  const each = 40;
  let last = (await read('0')).at(-1)?.id ?? '0';
  let areWritersDone = false;
  const written = Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let number = 0; number < each; number += 1)
        await db.transaction().execute(async (trx) => {
          await write(trx, `w${String(writer)}-${String(number)}-a`);
          await trx.selectFrom('consumers').select('id').execute();
          await write(trx, `w${String(writer)}-${String(number)}-b`);
        });
    }),
  ).finally(() => (areWritersDone = true));
  const followed: { id: string; actor: string }[] = [];
  await waitUntil(
    async () => {
      const wereWritersDone = areWritersDone;
      const more = await read(last, 7);
      followed.push(...more);
      last = more.at(-1)?.id ?? last;
      return wereWritersDone && more.length === 0 && followed.length >= writers * each * 2;
    },
    {
      what: () =>
        `the whole log to be read: ${String(followed.length)} entries, done ${String(areWritersDone)}, last id ${last}`,
      everyMs: 1,
    },
  );
  await written;
  const all = await db
    .selectFrom('audit_log')
    .select(['id', 'actor'])
    .where('actor', 'like', 'w%')
    .orderBy('id')
    .execute();
  expect(followed).toEqual(all);
});
