import { describe, expect, it } from 'vitest';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#libs/database';
import { sql, type KyselyPlugin } from 'kysely';
import { MIGRATIONS } from '../../libs/database/src/migrate.js';
import { RELEASED } from '../../libs/database/src/migrations/released.js';
import { createTestDatabase } from '#test/support/test-database';
import { unsafeWhileServing } from '#test/support/unsafe-while-serving';

const PROJECT = join(import.meta.dirname, '../..');
/** The version under which nothing is released yet. */
const BEFORE_ANY_RELEASE = '0.1.0';

/** What each migration does to an empty database, by its name, in order. */
async function statementsOfEach(): Promise<Map<string, string[]>> {
  const database = await createTestDatabase();
  const admin = openDatabase({ url: database.url, poolSize: 1 });
  const url = new URL(database.url);
  const bare = `bare_${randomUUID().replaceAll('-', '')}`;
  url.pathname = `/${bare}`;
  await sql`create database ${sql.id(bare)}`.execute(admin);
  const db = openDatabase({ url: url.href, poolSize: 1 });
  try {
    const statements = new Map<string, string[]>();
    for (const [name, migration] of Object.entries(MIGRATIONS)) {
      const own: string[] = [];
      const recording: KyselyPlugin = {
        transformQuery: ({ node, queryId }) => {
          own.push(db.getExecutor().compileQuery(node, queryId).sql);
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      };
      await db.transaction().execute((trx) => migration.up(trx.withPlugin(recording)));
      statements.set(name, own);
    }
    return statements;
  } finally {
    await db.destroy();
    await sql`drop database ${sql.id(bare)} with (force)`.execute(admin);
    await admin.destroy();
    await database.drop();
  }
}

describe('migrations', () => {
  it('are not edited once they are released, and those that follow let the former release serve', async () => {
    const statements = await statementsOfEach();
    expect([...statements.keys()]).toEqual([...statements.keys()].toSorted());
    const released = Object.keys(RELEASED);
    expect([...statements.keys()].slice(0, released.length)).toEqual(released);
    const checksums = released.map((name) => {
      const text = (statements.get(name) ?? []).join('\n');
      return [name, createHash('sha256').update(text).digest('hex')];
    });
    expect(Object.fromEntries(checksums)).toEqual(RELEASED);
    const following = released.length === 0 ? [] : [...statements.values()].slice(released.length).flat();
    expect(unsafeWhileServing(following)).toEqual([]);
  });

  it('are written down with the first release, and from then on a test runs the former release beside them', () => {
    const { version }: { version: string } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
    const isReleased = version !== BEFORE_ANY_RELEASE;
    expect(Object.keys(RELEASED).length > 0).toBe(isReleased);
    // CONTRIBUTING.md, "Migrations", says what it has to show.
    expect(existsSync(join(PROJECT, 'test/e2e/former-release.spec.ts'))).toBe(isReleased);
  });
});

describe('what stops or breaks a release that still serves', () => {
  it.each([
    'drop table bulk_actions',
    'alter table events drop column status',
    'alter table events drop status',
    'alter table consumers rename column url to address',
    'alter table consumers alter column timeout_ms type bigint',
    'alter table consumers alter column notes set not null',
    'alter table events add column kind text not null',
    `alter table events
       add column kind text -- of the event
         not null`,
    'alter table events add column a text, add column b integer not null',
    'alter table events add column seen_at timestamptz default clock_timestamp()',
    'alter table attempts add constraint positive check (number > 0)',
    'create index events_kind on events (kind)',
    'create unique index x on "pending_deliveries" (event_id)',
    "update deliveries set state = 'dead'",
    'delete from idempotency_keys',
  ])('%s', (statement) => {
    expect(unsafeWhileServing([statement])).toHaveLength(1);
  });

  it.each([
    [
      'a column with a constant default',
      ['alter table events add column kind text not null default $$ach$$'],
    ],
    ['a column that may be null', ['alter table events add column kind text']],
    [
      'a constraint that holds for new rows',
      ['alter table attempts add constraint a check (number > 0) not valid'],
    ],
    ['an index of a small table', ['create index consumers_name on consumers (name)']],
    ['an index that its partitions get one by one', ['create index events_kind on only events (kind)']],
    [
      'whatever concerns a table of its own',
      [
        'create table notes (id uuid, text text not null)',
        'create index notes_id on notes (id)',
        'alter table notes add check (id is not null)',
      ],
    ],
    ['an index that is not needed any more', ['drop index events_kind']],
  ])('but not %s', (_, statements) => {
    expect(unsafeWhileServing(statements)).toEqual([]);
  });
});
