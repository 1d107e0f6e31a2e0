import { migrateToLatest, openDatabase, wakeTimes, type Database } from '#libs/database';
import { openQueue } from '#test/support/open-queue';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';
import { sql } from 'kysely';
import { ExplainingDatabase } from '#test/bench/engine/explained';
import { printTable, readArguments, round, say, sum, writeJson, type Row } from '#test/bench/engine/report';
import { usageOf } from '#test/bench/pipeline/usage';

/**
 * What reconcile costs with many consumers that have work pending: its look at PostgreSQL, explained as the product asks,
 * and what it then gives the queue in Redis, which may have lost it (`added`) or have it already (`again`).
 */
const { json, numbers } = readArguments({ consumers: 10_000, pendingOfEach: 5, repeats: 3 });

/** As apps/worker/src/maintenance/reconcile.ts has them, with the default interval. */
const OVERDUE_MS = 5_000;
const WITHIN_MS = 20_000;
/** When every consumer has something to do: nothing is to be done yet, a timer is missing, a job is. */
const DUE_IN_S = [86_400, 15, -60];

const [postgres, redis] = await Promise.all([
  OwnPostgres.create({ durable: false, settings: { shared_buffers: '512MB', autovacuum: 'off' } }),
  OwnRedis.create({ fsync: 'everysec' }),
]);
try {
  await migrateToLatest(postgres.adminUrl);
  const db = openDatabase({ url: postgres.adminUrl, poolSize: 1, queryTimeoutMs: 0 });
  const explaining = await ExplainingDatabase.open(postgres.adminUrl);
  try {
    await fill(db);
    const rows: Row[] = [];
    for (const seconds of DUE_IN_S) rows.push(await measure(db, explaining, seconds));
    printTable(
      `${String(numbers.consumers)} consumers with ${String(numbers.pendingOfEach)} pending deliveries each; ms`,
      rows,
    );
    await writeJson(json, { numbers, rows });
  } finally {
    await Promise.all([db.destroy(), explaining.close()]);
  }
} finally {
  await Promise.all([postgres.remove(), redis.remove()]);
}

async function fill(db: Database): Promise<void> {
  const all = `generate_series(1, ${String(numbers.consumers)})`;
  for (const statement of [
    `insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments, timestamp_unit,
                            ordering, timeout_ms, max_concurrency)
     select gen_random_uuid(), 'consumer ' || n, 'http://127.0.0.1/', '{}', '{}', '{}', false, 'seconds', 'payment', 10000,
            64 from ${all} n`,
    'insert into consumer_runtime (consumer_id) select id from consumers',
    `insert into pending_deliveries (id, event_id, consumer_id, event_type, payment_id, number)
     select gen_random_uuid(), gen_random_uuid(), c.id, 'ach.status', 'P-' || n, 1
     from consumers c cross join generate_series(1, ${String(numbers.pendingOfEach)}) n`,
  ])
    await sql.raw(statement).execute(db);
}

async function measure(db: Database, explaining: ExplainingDatabase, dueInS: number): Promise<Row> {
  say(`everything due in ${String(dueInS)} s`);
  await sql`update pending_deliveries set next_attempt_at = now() + ${dueInS} * interval '1 second'`.execute(
    db,
  );
  await sql`vacuum analyze`.execute(db);
  const look = () =>
    explaining.explain(({ db: handle }) => wakeTimes(handle, { overdueMs: OVERDUE_MS, withinMs: WITHIN_MS }));
  // The first fill the caches.
  for (let turn = 1; turn < numbers.repeats; turn += 1) await look();
  const { statements, answer } = await look();

  await using opened = await openQueue({ backend: 'redis', url: redis.url, namespace: 'bench' });
  const { queue, engine } = opened;
  const add = async (): Promise<{ ms: number; cpuMs: number }> => {
    const redisBefore = await usageOf(redis.pid);
    const ownBefore = process.cpuUsage();
    const startedAt = performance.now();
    if (dueInS < 0) await queue.addConsumers(answer.map(({ consumerId }) => consumerId));
    else await queue.addTimers(answer);
    const ms = performance.now() - startedAt;
    const own = process.cpuUsage(ownBefore);
    const redisS = (await usageOf(redis.pid)).cpuSeconds - redisBefore.cpuSeconds;
    return { ms: round(ms), cpuMs: round((own.user + own.system) / 1_000 + redisS * 1_000) };
  };
  const [added, again] = [await add(), await add()];
  await engine.obliterate({ force: true });
  return {
    due_in_s: dueInS,
    found: answer.length,
    look: round(sum(statements, ({ ms }) => ms)),
    rows_read: sum(statements, ({ rowsRead }) => rowsRead),
    buffers: sum(statements, ({ buffers }) => buffers),
    added: added.ms,
    added_cpu: added.cpuMs,
    again: again.ms,
    again_cpu: again.cpuMs,
  };
}
