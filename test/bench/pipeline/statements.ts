/**
 * What accept, fetch and record cost PostgreSQL, by the processor time of the one connection that runs them
 * (/proc/<pid>/schedstat): unlike the clock, it hardly depends on what else the machine does.
 * `npm run bench:statements -- --sizes 1,5,20,70 --batches 120`: a line for each size of a batch.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { newId } from '#libs/contracts';
import {
  fetchDeliveries,
  migrateToLatest,
  Pipeline,
  PIPELINE_SETTINGS,
  recordAttempts,
  type NewEvent,
} from '#libs/database';
import { sql } from 'kysely';
import { median, say } from '#test/bench/engine/report';
import { bodyOf } from '#test/bench/pipeline/bodies';
import { accept, acknowledged } from '#test/bench/pipeline/steps';
import { newStatus, routingVersion } from '#test/support/new-status';
import { OwnPostgres } from '#test/support/own-postgres';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1,5,20,70' },
    batches: { type: 'string', default: '120' },
  },
});
const batches = Number(values.batches);
const STATUSES = 4;
/** Between two statuses of a payment. */
const BATCHES_APART = 20;
const STEPS = ['accept', 'fetch', 'record'] as const;
type Step = (typeof STEPS)[number];

const postgres = await OwnPostgres.create({ settings: { shared_buffers: '512MB', max_wal_size: '8GB' } });
try {
  await migrateToLatest(postgres.adminUrl);
  const pipeline = new Pipeline({ url: postgres.adminUrl, poolSize: 1, settings: PIPELINE_SETTINGS });
  const consumerId = await registered(pipeline);
  const [opened] = await fetchDeliveries(pipeline, [{ consumerId, session: null, wanted: 0, inFlight: [] }]);
  if (opened === undefined) throw new Error('a session that is opened is always answered');
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(pipeline.db);
  for (const size of values.sizes.split(',').map(Number)) {
    const costs = await measure(pipeline, { consumer: opened.consumer, size, pid: rows[0]?.pid ?? 0 });
    const figures = STEPS.map((step) => `${step} ${median(costs[step].slice(batches / 4)).toFixed(1)}`);
    say(`${String(size).padStart(3)} a batch: ${figures.join(', ')} µs a delivery`);
  }
  await pipeline.close();
} finally {
  await postgres.remove();
}

/** @returns of each step, microseconds a delivery, batch by batch */
async function measure(
  pipeline: Pipeline,
  {
    consumer,
    size,
    pid,
  }: {
    readonly consumer: Parameters<typeof acknowledged>[0];
    readonly size: number;
    readonly pid: number;
  },
): Promise<Record<Step, number[]>> {
  const { consumerId, session } = consumer;
  const version = await routingVersion(pipeline.db);
  const micros = async (): Promise<number> =>
    Number((await readFile(`/proc/${String(pid)}/schedstat`, 'utf8')).split(' ')[0]) / 1_000;
  const costs: Record<Step, number[]> = { accept: [], fetch: [], record: [] };
  const cost = async <T>(step: Step, run: () => Promise<T>): Promise<T> => {
    const before = await micros();
    const answer = await run();
    costs[step].push(((await micros()) - before) / size);
    return answer;
  };
  for (let batch = 0; batch < batches; batch += 1) {
    const events = Array.from({ length: size }, (_, index) =>
      eventOf(batch * size + index, size, consumerId),
    );
    await cost('accept', () => accept(pipeline, events, version));
    const [fetched] = await cost('fetch', () =>
      fetchDeliveries(pipeline, [{ consumerId, session, wanted: size, inFlight: [] }]),
    );
    const results = (fetched?.deliveries ?? []).map((delivery) => acknowledged(consumer, delivery));
    if (results.length !== size) throw new Error('a delivery was not fetched');
    const held = await cost('record', () => recordAttempts(pipeline, results));
    if (!held.has(consumerId)) throw new Error('a delivery was not recorded');
    if (batch % 30 === 29) await sql`vacuum pending_deliveries`.execute(pipeline.db);
  }
  return costs;
}

async function registered({ db }: Pipeline): Promise<string> {
  const id = newId();
  await sql`insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments,
                                   timestamp_unit, ordering, timeout_ms, max_concurrency)
    values (${id}, 'Acme', 'http://127.0.0.1:1/', '{}', '{}', '{}', false, 'seconds', 'payment', 10000, 1000)`.execute(
    db,
  );
  await sql`insert into consumer_runtime (consumer_id) values (${id})`.execute(db);
  await sql`insert into consumer_credentials (consumer_id, version, sealed, activate_at)
    values (${id}, 1, '', now() - interval '1 day')`.execute(db);
  return id;
}

/** The `n`th event of those that come `size` a batch. */
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
