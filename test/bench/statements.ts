/**
 * Measures what accept, fetch, record and the lists cost PostgreSQL, as processor time of their only connection
 * (/proc/<pid>/schedstat, Linux): unlike the clock, it hardly depends on the other processes of the machine.
 * `npm run bench:statements -- --sizes 1,5,20,70 --batches 120 --events 100000`
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { newId } from '#libs/contracts';
import {
  acceptEvents,
  fetchDeliveries,
  migrateToLatest,
  openConsumersReading,
  openDatabase,
  openReading,
  Pipeline,
  PIPELINE_SETTINGS,
  recordAttempts,
  type AttemptResult,
  type Queryable,
  type FetchedConsumer,
  type FetchedDelivery,
  type NewEvent,
} from '#libs/database';
import { sql } from 'kysely';
import { bodyOf } from '#test/bench/bodies';
import { fillHistory } from '#test/bench/history';
import { readingsOf } from '#test/bench/lists';
import { median, say } from '#test/bench/numbers';
import { insertConsumer } from '#test/support/consumer-row';
import { newStatus, routingVersion } from '#test/support/new-status';
import { OwnPostgres } from '#test/support/own-postgres';

const { values } = parseArgs({
  options: {
    /** Deliveries in a batch. */
    sizes: { type: 'string', default: '1,5,20,70' },
    batches: { type: 'string', default: '120' },
    /** Events in the history that the lists read. */
    events: { type: 'string', default: '100000' },
  },
});
const batches = Number(values.batches);
const STATUSES = 4;
/** Batches between two statuses of a payment. */
const BATCHES_APART = 20;
const STEPS = ['accept', 'fetch', 'record'] as const;
type Step = (typeof STEPS)[number];
const READINGS = 5;

const postgres = await OwnPostgres.create({
  durable: false,
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', autovacuum: 'off' },
});
try {
  await migrateToLatest(postgres.adminUrl);
  await measureSteps();
  await measureLists();
} finally {
  await postgres.remove();
}

/** Prints the cost of each step, for each size of a batch. */
async function measureSteps(): Promise<void> {
  const pipeline = new Pipeline({ url: postgres.adminUrl, poolSize: 1, settings: PIPELINE_SETTINGS });
  const consumerId = await insertConsumer(pipeline.db);
  await sql`update consumers set max_concurrency = 1000`.execute(pipeline.db);
  const micros = await meterOf(pipeline.db);
  const [opened] = await fetchDeliveries(pipeline, [{ consumerId, session: null, wanted: 0, inFlight: [] }]);
  if (opened === undefined) throw new Error('the consumer’s session was not opened');
  for (const size of values.sizes.split(',').map(Number)) {
    const costs = await measureBatches(pipeline, opened.consumer, size, micros);
    // The first batches fill the caches.
    const figures = STEPS.map((step) => `${step} ${median(costs[step].slice(batches / 4)).toFixed(1)}`);
    say(`${String(size).padStart(3)} a batch: ${figures.join(', ')} µs a delivery`);
  }
  await pipeline.close();
}

/** @returns microseconds a delivery, for each step and batch */
async function measureBatches(
  pipeline: Pipeline,
  consumer: FetchedConsumer,
  size: number,
  micros: () => Promise<number>,
): Promise<Record<Step, number[]>> {
  const { consumerId, session } = consumer;
  const version = await routingVersion(pipeline.db);
  const costs: Record<Step, number[]> = { accept: [], fetch: [], record: [] };
  const measure = async <T>(step: Step, run: () => Promise<T>): Promise<T> => {
    const before = await micros();
    const result = await run();
    costs[step].push(((await micros()) - before) / size);
    return result;
  };
  for (let batch = 0; batch < batches; batch += 1) {
    const events = Array.from({ length: size }, (_, index) =>
      eventOf(batch * size + index, size, consumerId),
    );
    const { kind } = await measure('accept', () => acceptEvents(pipeline, events, version));
    if (kind !== 'accepted') throw new Error(`the events were not accepted: ${kind}`);
    const [fetched] = await measure('fetch', () =>
      fetchDeliveries(pipeline, [{ consumerId, session, wanted: size, inFlight: [] }]),
    );
    const results = (fetched?.deliveries ?? []).map((delivery) => acknowledged(consumer, delivery));
    if (results.length !== size) throw new Error('not all deliveries were fetched');
    const recorded = await measure('record', () => recordAttempts(pipeline, results));
    if (!recorded.held.has(consumerId)) throw new Error('the attempts were not recorded');
    if (batch % 30 === 29) await sql`vacuum pending_deliveries`.execute(pipeline.db);
  }
  return costs;
}

/** Prints the cost of each list and screen on a history, the most expensive first. */
async function measureLists(): Promise<void> {
  const admin = openDatabase({ url: postgres.adminUrl, poolSize: 1 });
  await sql`create database lists`.execute(admin);
  await admin.destroy();
  const url = postgres.url('lists');
  await migrateToLatest(url);
  const options = { url, poolSize: 1, queryTimeoutMs: 0 };
  const pools = {
    commands: openDatabase(options),
    lists: openReading(options),
    consumers: openConsumersReading(options),
  };
  say(`filling a history of ${values.events} events`);
  await fillHistory(pools.commands, Number(values.events));
  const meters = await Promise.all(Object.values(pools).map(meterOf));
  const micros = async (): Promise<number> =>
    (await Promise.all(meters.map((meter) => meter()))).reduce((sum, one) => sum + one, 0);
  const costs: { name: string; ms: number }[] = [];
  for (const { name, read } of await readingsOf(pools.commands)) {
    const runs: number[] = [];
    for (let run = 0; run <= READINGS; run += 1) {
      const before = await micros();
      await read(pools);
      // The first reading fills the caches.
      if (run > 0) runs.push(((await micros()) - before) / 1_000);
    }
    costs.push({ name, ms: median(runs) });
  }
  for (const { name, ms } of costs.toSorted((one, other) => other.ms - one.ms))
    say(`${ms.toFixed(2).padStart(9)} ms  ${name}`);
  await Promise.all(Object.values(pools).map((pool) => pool.destroy()));
}

/** @returns a function that reads the processor time, in microseconds, of the server process of the only connection */
async function meterOf(db: Queryable): Promise<() => Promise<number>> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const file = `/proc/${String(rows[0]?.pid)}/schedstat`;
  return async () => Number((await readFile(file, 'utf8')).split(' ')[0]) / 1_000;
}

/** The `n`th event, in batches of `size` events. */
function eventOf(n: number, size: number, consumerId: string): NewEvent {
  const payments = size * BATCHES_APART;
  const payment = (n % payments) + Math.floor(n / (payments * STATUSES)) * payments;
  return newStatus({
    eventType: 'ach.status',
    paymentId: `P${String(size)}-${String(payment)}`,
    companyIds: ['ACME'],
    traceNumber: String(n),
    body: bodyOf(n, 'statements', ['ACME']),
    deliveries: [{ id: newId(), consumerId }],
  });
}

/** The result of an attempt that the consumer acknowledged. */
function acknowledged(
  { consumerId, session, url, credentialVersion }: FetchedConsumer,
  { id, attempts }: FetchedDelivery,
): AttemptResult {
  return {
    consumerId,
    session,
    deliveryId: id,
    number: attempts + 1,
    scheduleStep: 0,
    outcome: 'acknowledged',
    httpStatus: 200,
    detail: 'HTTP 200',
    startedAt: new Date(),
    durationMs: 12,
    url,
    credentialVersion: credentialVersion ?? 1,
    requestHeaders: { 'content-type': 'application/json', authorization: '[redacted]' },
    responseHeaders: { 'content-length': '0' },
    responseBody: '',
    responseTruncated: false,
    clockSkewMs: null,
    remoteAddress: '192.0.2.10',
    probe: false,
    next: { state: 'delivered' },
    pausesConsumer: false,
  };
}
