import { randomUUID } from 'node:crypto';
import { Client, DatabaseError } from 'pg';
import { migrateToLatest } from '#libs/database';
import { waitUntil } from '#test/support/wait-until';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Migrated once per run; each test database is a copy of it. */
const TEMPLATE = 'dispatcher_template';

/** Creates a migrated, empty database on the run's server: a copy of the template, which takes a few tens of ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  await ensureTemplate();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin((admin) =>
    waitUntil(() => clone(admin, name), {
      what: 'the template database to be unused, so that it can be copied',
    }),
  );
  return {
    url: urlOf(name),
    drop: () =>
      asAdmin(async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`))),
  };
}

/**
 * The first process migrates; the others wait for the lock. The database gets the template's name last, so that a
 * half-migrated database never becomes the template.
 */
async function ensureTemplate(): Promise<void> {
  await asAdmin(async (admin) => {
    await admin.query("select pg_advisory_lock(hashtext('dispatcher.test.template'))");
    const found = await admin.query('select 1 from pg_database where datname = $1', [TEMPLATE]);
    if (found.rowCount === 1) return;
    const draft = `${TEMPLATE}_draft`;
    await admin.query(`drop database if exists ${draft} with (force)`);
    await admin.query(`create database ${draft}`);
    await migrateToLatest(urlOf(draft));
    await admin.query(`alter database ${draft} with allow_connections false`);
    await waitUntil(() => rename(admin, draft), {
      what: 'the connections of the migrations to close',
    });
  });
}

/** @returns false while the draft still has connections */
const rename = (admin: Client, draft: string): Promise<boolean> =>
  unlessInUse(admin.query(`alter database ${draft} rename to ${TEMPLATE}`));

/** @returns false while the template is in use, for example by autovacuum */
const clone = (admin: Client, name: string): Promise<boolean> =>
  unlessInUse(admin.query(`create database ${name} template ${TEMPLATE}`));

const OBJECT_IN_USE = '55006';

async function unlessInUse(statement: Promise<unknown>): Promise<boolean> {
  try {
    await statement;
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === OBJECT_IN_USE) return false;
    throw error;
  }
}

async function asAdmin<T>(work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: adminUrl() });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${database}`;
  return url.href;
}

function adminUrl(): string {
  const url = process.env['TEST_PG_ADMIN_URL'];
  if (url === undefined)
    throw new Error('TEST_PG_ADMIN_URL is not set: the global setup of the tests has not run');
  return url;
}
