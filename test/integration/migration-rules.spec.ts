import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../libs/database/src/migrations/migrations.js';
import type { SchemaMigration } from '../../libs/database/src/migrations/schema-migration.js';

/** Of what the migrations of each release execute. A release adds its migrations here. */
const RELEASED = {
  '0001-schema': 'a7d44cf531f7537b6a298b16ea94f01b4384c2d18ef108fac0aa5d1ef94f7bb0',
  '0002-schema-compatibility': '2be53d0b6259d5d3d7fc7644ac7784ab1e6c62831bdeae2d256e1ea36eef21e9',
  '0003-lapsed-keys-index': '1abd8586cc9482f135afa345ba2be831d5d995dd8a7ca579f5e3aeda0969c6e0',
};

/** The statements that a migration executes, as it executes them on no server. */
async function statementsOf(migration: SchemaMigration): Promise<string> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(`${query.sql};\n`),
  });
  await migration.up(db);
  return statements.join('');
}

const SQUAWK = join(import.meta.dirname, '../../node_modules/.bin/squawk');
/** `applyMigrations` sets the time limits of locks. Our tables have no columns of 64 bits where 32 suffice. */
const EXCLUDED = 'require-lock-timeout,require-statement-timeout,prefer-bigint-over-int,require-table-schema';

/** What may keep the processes of the previous version waiting, or fail when it is repeated. */
async function faultsOf(migration: SchemaMigration): Promise<string[]> {
  const text = await statementsOf(migration);
  const isConcurrent = migration.isConcurrent === true;
  // Whether a concurrent migration can be repeated is checked below.
  const mode = isConcurrent ? ['--exclude=prefer-robust-stmts'] : ['--assume-in-transaction'];
  const { stdout, stderr } = spawnSync(SQUAWK, ['--reporter=json', `--exclude=${EXCLUDED}`, ...mode], {
    input: text,
    encoding: 'utf8',
  });
  const found: { rule_name: string }[] = JSON.parse(stdout === '' ? stderr : stdout);
  const created = [...text.matchAll(/create (?:unique )?index concurrently (\w+)/g)].map(([, name]) => name);
  return [
    ...found.map((each) => each.rule_name),
    ...created
      .filter((name) => !text.includes(`drop index concurrently if exists ${name};\ncreate`))
      .map((name) => `${name} is not dropped before it is created`),
    ...(isConcurrent && /^(?!.* concurrently )/m.test(text.trimEnd()) ? ['not concurrent'] : []),
  ];
}

const statement = (text: string, isConcurrent?: true): SchemaMigration => ({
  ...(isConcurrent === undefined ? {} : { isConcurrent }),
  async up(db) {
    for (const one of text.split(';')) await sql.raw(one.trim()).execute(db);
  },
});

describe('migrations', () => {
  it.each(Object.entries(RELEASED))(
    'migration %s executes what it executed in its release: write a new migration instead',
    async (name, hash) => {
      const migration = MIGRATIONS[name];
      expect(migration).toBeDefined();
      if (migration === undefined) return;
      expect(
        createHash('sha256')
          .update(await statementsOf(migration))
          .digest('hex'),
      ).toBe(hash);
    },
  );

  it('the names of migrations are numbered without a gap', () => {
    expect(Object.keys(MIGRATIONS).map((name) => Number(name.slice(0, 4)))).toEqual(
      Object.keys(MIGRATIONS).map((_, index) => index + 1),
    );
  });

  it.each(Object.entries(MIGRATIONS).slice(1))(
    'migration %s keeps no process of the previous version waiting',
    async (_, migration) => {
      expect(await faultsOf(migration)).toEqual([]);
    },
  );

  it.each([
    ['create index late on events (id)', 'require-concurrent-index-creation'],
    ['alter table events add constraint c check (id is not null)', 'constraint-missing-not-valid'],
    ['alter table events add column z bigint default random()', 'adding-field-with-default'],
    ['alter table events alter column id type text', 'changing-column-type'],
  ])('the rules of migrations refuse: %s', async (text, rule) => {
    expect(await faultsOf(statement(text))).toContain(rule);
  });

  it('the rules refuse a concurrent migration that cannot be repeated, or that needs a transaction', async () => {
    const create = 'create index concurrently late on payments (payment_id)';
    expect(await faultsOf(statement(create, true))).toContain('late is not dropped before it is created');
    expect(await faultsOf(statement('alter table events add column z text', true))).toContain(
      'not concurrent',
    );
    expect(await faultsOf(statement(`drop index concurrently if exists late;${create}`, true))).toEqual([]);
  });
});
