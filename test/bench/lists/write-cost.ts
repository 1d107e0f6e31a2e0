import { newId } from '#libs/contracts';
import {
  fetchDeliveries,
  migrateToLatest,
  openDatabase,
  Pipeline,
  PIPELINE_SETTINGS,
  recordAttempts,
  type NewEvent,
} from '#libs/database';
import { sql } from 'kysely';
import { median, printTable, readArguments, round, say, writeJson } from '#test/bench/engine/report';
import { accept, acknowledged } from '#test/bench/pipeline/steps';
import { consumerId, fillHistory } from '#test/bench/lists/history';
import { newStatus, routingVersion } from '#test/support/new-status';
import { OwnPostgres } from '#test/support/own-postgres';

/**
 * What the lists' indexes cost those who write: accept, fetch and record of the same events on two databases of one
 * server, with the indexes and without, batch by batch in turn.
 */
const { json, numbers } = readArguments({ events: 100_000, batches: 120, size: 50 });

const STEPS = ['accept', 'fetch', 'record', 'all'] as const;

/** Of each batch. */
type Costs = Record<(typeof STEPS)[number], { ms: number; walBytes: number }[]>;

const RECIPIENTS = [1, 101, 201].map((number) => consumerId(String(number)));
const STATUSES = 3;

/** What serves lists alone, and the smaller ones that stood in the place of two of them. */
const WITHOUT = [
  'deliveries_consumer_made',
  'deliveries_state',
  'deliveries_status',
  'deliveries_dead_open',
  'deliveries_consumer_state',
  'deliveries_outcome',
  'deliveries_http_status',
  'events_accepted',
  'events_status',
  'payments_updated',
].map((name) => `drop index ${name}`);
const AS_BEFORE = [
  'create index events_accepted on events (accepted_at, id)',
  'create index payments_updated_at on payments using brin (updated_at)',
];

const postgres = await OwnPostgres.create({ settings: { shared_buffers: '1GB', max_wal_size: '8GB' } });
try {
  const sides = {
    with: await openSide('with_indexes', []),
    without: await openSide('without', [...WITHOUT, ...AS_BEFORE]),
  };
  const costs = { with: noCosts(), without: noCosts() };
  for (let batch = 0; batch < numbers.batches; batch += 1) {
    for (const side of batch % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      await oneBatch(sides[side], batch, costs[side]);
    }
  }
  const table = STEPS.map((step) => {
    const of = (side: 'with' | 'without', what: 'ms' | 'walBytes'): number =>
      median(costs[side][step].map((cost) => cost[what]));
    const ratio = (what: 'ms' | 'walBytes'): number => round(of('with', what) / of('without', what), 3);
    return {
      step,
      without_ms: round(of('without', 'ms')),
      with_ms: round(of('with', 'ms')),
      ratio: ratio('ms'),
      without_wal_kb: round(of('without', 'walBytes') / 1_024),
      with_wal_kb: round(of('with', 'walBytes') / 1_024),
      wal_ratio: ratio('walBytes'),
    };
  });
  printTable(
    `a batch of ${String(numbers.size)} events with ${String(RECIPIENTS.length)} deliveries each, medians`,
    table,
  );
  await writeJson(json, { numbers, table });
  await Promise.all([sides.with.pipeline.close(), sides.without.pipeline.close()]);
} finally {
  await postgres.remove();
}

function noCosts(): Costs {
  return { accept: [], fetch: [], record: [], all: [] };
}

/** A database, and its consumers' sessions by id. */
interface Side {
  readonly pipeline: Pipeline;
  readonly sessions: ReadonlyMap<string, number>;
}

/** Where the server's log is, and what time it is: the log tells of work that a loaded machine's clock blurs. */
async function reading({ db }: Pipeline): Promise<{ ms: number; walBytes: number }> {
  const { rows } = await sql<{
    bytes: string;
  }>`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`.execute(db);
  return { ms: performance.now(), walBytes: Number(rows[0]?.bytes) };
}

async function openSide(name: string, statements: readonly string[]): Promise<Side> {
  const admin = openDatabase({ url: postgres.adminUrl, poolSize: 1 });
  await sql`create database ${sql.id(name)}`.execute(admin);
  await admin.destroy();
  const url = postgres.url(name);
  await migrateToLatest(url);
  const db = openDatabase({ url, poolSize: 4, queryTimeoutMs: 0 });
  say(`filling ${name}`);
  for (const statement of statements) await sql.raw(statement).execute(db);
  await fillHistory(db, numbers.events, Date.now());
  // What is measured is not kept waiting by what was made.
  await sql`truncate pending_deliveries`.execute(db);
  await sql`update consumers set max_concurrency = 1000, ordering = 'none', state = 'active', paused_at = null`.execute(
    db,
  );
  await sql`update consumer_runtime set failures = 0, first_failure_at = null, circuit_opened_at = null,
    next_probe_at = null, secret_fault = null, secret_fault_at = null`.execute(db);
  await sql`insert into consumer_credentials (consumer_id, version, sealed, activate_at)
    select id, 1, '', now() - interval '1 day' from consumers`.execute(db);
  await sql`vacuum analyze`.execute(db);
  const { rows } = await sql<{
    id: string;
  }>`select unnest(array[${sql.raw(RECIPIENTS.join(','))}]) as id`.execute(db);
  await db.destroy();
  const pipeline = new Pipeline({ url, poolSize: 1, settings: PIPELINE_SETTINGS });
  const requests = rows.map(({ id }) => ({ consumerId: id, session: null, wanted: 0, inFlight: [] }));
  const opened = await fetchDeliveries(pipeline, requests);
  return {
    pipeline,
    sessions: new Map(opened.map(({ consumer }) => [consumer.consumerId, consumer.session])),
  };
}

async function oneBatch({ pipeline, sessions }: Side, batch: number, costs: Costs): Promise<void> {
  const version = await routingVersion(pipeline.db);
  const events = Array.from({ length: numbers.size }, (_, index) =>
    eventOf(batch, index, [...sessions.keys()]),
  );
  const started = await reading(pipeline);
  await accept(pipeline, events, version);
  const accepted = await reading(pipeline);
  const fetched = await fetchDeliveries(
    pipeline,
    [...sessions].map(([id, session]) => ({ consumerId: id, session, wanted: numbers.size, inFlight: [] })),
  );
  const afterFetch = await reading(pipeline);
  const results = fetched.flatMap(({ consumer, deliveries }) =>
    deliveries.map((delivery) => acknowledged(consumer, delivery)),
  );
  if (results.length !== numbers.size * RECIPIENTS.length) throw new Error('not everything was fetched');
  await recordAttempts(pipeline, results);
  const recorded = await reading(pipeline);
  const between = (from: typeof started, to: typeof started) => ({
    ms: to.ms - from.ms,
    walBytes: to.walBytes - from.walBytes,
  });
  costs.accept.push(between(started, accepted));
  costs.fetch.push(between(accepted, afterFetch));
  costs.record.push(between(afterFetch, recorded));
  costs.all.push(between(started, recorded));
}

/** A payment's statuses come in three batches: its row is written once and changed twice. */
function eventOf(batch: number, index: number, consumers: readonly string[]): NewEvent {
  return newStatus({
    eventType: index % 10 < 7 ? 'ach.status' : 'wire.status',
    paymentId: `NEW-${String(Math.floor(batch / STATUSES))}-${String(index)}`,
    status: ['PENDING', 'IN_PROCESS', 'PROCESSED'][batch % STATUSES] ?? null,
    traceNumber: `T-${String(batch)}-${String(index)}`,
    producer: 'payments-hub',
    body: `{"data":"${'x'.repeat(1_000)}"}`,
    deliveries: consumers.map((consumer) => ({ id: newId(), consumerId: consumer })),
  });
}
