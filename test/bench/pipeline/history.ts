import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { firstIdAt } from '#libs/database';
import { say } from '#test/bench/engine/report';
import {
  dropSeeds,
  insertCopies,
  keepSeeds,
  STATUSES,
  type Past,
  type Table,
} from '#test/bench/pipeline/history-rows';
import { Client } from 'pg';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const DAYS = 90;
/** Of these the idempotency keys are kept. */
const KEY_DAYS = 7;
const WHAT_FILLING_NEEDS_NOT = ['fsync', 'full_page_writes', 'autovacuum'];

/**
 * Adds finished deliveries of the past 90 days, each with its event and its attempt, and what accepting has kept of them:
 * copies of the rows that are there, under ids, payments and times of their own, in the partitions where they belong.
 * Nobody else may be at work; the installation is as it would be afterwards: indexed, vacuumed, analysed, on disk.
 */
export async function fillHistory(url: string, finished: number): Promise<void> {
  const [one, other] = await Promise.all([connect(url), connect(url)]);
  try {
    for (const setting of WHAT_FILLING_NEEDS_NOT) await one.query(`alter system set ${setting} = off`);
    await one.query('select pg_reload_conf()');
    const stepMs = Math.floor((DAYS * DAY_MS) / finished);
    const past = { stepMs, firstMs: Date.now() - finished * stepMs };
    await keepSeeds(one);
    // Two at a time, since attaching a partition locks its parent.
    await Promise.all([
      timed('events', () => fillPartitions(one, 'events', past, finished)),
      timed('deliveries and what belongs to them', async () => {
        await fillPartitions(other, 'deliveries', past, finished);
        await fillPartitions(other, 'attempts', past, finished);
        await insertCopies(other, 'payments', 'payments', past, { from: 0, below: finished, by: STATUSES });
        const keysFrom = Math.max(0, finished - Math.floor((KEY_DAYS * DAY_MS) / stepMs));
        await insertCopies(other, 'idempotency_keys', 'idempotency_keys', past, {
          from: keysFrom,
          below: finished,
        });
      }),
    ]);
    await dropSeeds(one);
    await timed('vacuum and analyze', () =>
      Promise.all([
        one.query('vacuum (analyze) events'),
        other.query('vacuum (analyze) deliveries, attempts, payments, idempotency_keys'),
      ]),
    );
    await one.query('alter system reset all');
    await one.query('select pg_reload_conf()');
    await timed('to disk', async () => {
      await one.query('checkpoint');
      // What was written while nothing was synced.
      await promisify(execFile)('sync');
    });
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const setting of ["maintenance_work_mem = '512MB'", "work_mem = '128MB'", 'synchronous_commit = off'])
    await client.query(`set ${setting}`);
  return client;
}

/** Whole weeks, filled before they get their indexes by being attached. */
async function fillPartitions(
  client: Client,
  table: Table,
  { firstMs, stepMs }: Past,
  finished: number,
): Promise<void> {
  // Another than that of the other one at work, who would wait for the name.
  const filling = `filling_${table}`;
  const before = (ms: number): number => Math.min(finished, Math.max(0, Math.ceil((ms - firstMs) / stepMs)));
  for (let week = Math.floor(firstMs / WEEK_MS); week * WEEK_MS <= Date.now(); week += 1) {
    const name = `${table}_${new Date(week * WEEK_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
    const { rows } = await client.query<{ is: boolean }>(`select to_regclass('${name}') is not null as is`);
    await client.query('begin');
    await client.query(`create table ${filling} (like ${table} including defaults including constraints)`);
    if (rows[0]?.is === true) {
      await client.query(`insert into ${filling} select * from ${name}`);
      await client.query(`drop table ${name}`);
    }
    await client.query(`alter table ${filling} rename to ${name}`);
    const range = { from: before(week * WEEK_MS), below: before((week + 1) * WEEK_MS) };
    await insertCopies(client, table, name, { firstMs, stepMs }, range);
    await client.query(`alter table ${table} attach partition ${name}
      for values from ('${firstIdAt(week * WEEK_MS)}') to ('${firstIdAt((week + 1) * WEEK_MS)}')`);
    await client.query('commit');
  }
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  say(`  ${what}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
}
