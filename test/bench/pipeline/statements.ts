/**
 * What accept, take and record cost PostgreSQL, by the processor time of the one connection that runs them
 * (/proc/<pid>/schedstat): unlike the clock, it hardly depends on what else the machine does.
 * `npm run bench:statements -- --size 100 --batches 120`
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { newId } from '#libs/contracts';
import { migrateToLatest, openDatabase, PIPELINE_SETTINGS, record, take } from '#libs/database';
import type { Database, NewEvent } from '#libs/database';
import { sql } from 'kysely';
import { bodyOf } from '#test/bench/pipeline/bodies';
import { accept, acknowledged } from '#test/bench/pipeline/steps';
import { routingVersion } from '#test/support/new-status';
import { OwnPostgres } from '#test/support/own-postgres';

const { values } = parseArgs({
  options: { size: { type: 'string', default: '100' }, batches: { type: 'string', default: '120' } },
});
const size = Number(values.size);
const batches = Number(values.batches);
const STATUSES = 4;
const HEADERS = {
  requestHeaders: { 'content-type': 'application/json', authorization: '[redacted]' },
  responseHeaders: { 'content-length': '0' },
};
const postgres = await OwnPostgres.create({ settings: { shared_buffers: '512MB', max_wal_size: '8GB' } });
try {
  await migrateToLatest(postgres.adminUrl);
  const db = openDatabase({ url: postgres.adminUrl, poolSize: 1, settings: PIPELINE_SETTINGS });
  const consumerId = await registered(db);
  const version = await routingVersion(db);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const pid = rows[0]?.pid ?? 0;
  const micros = async (): Promise<number> =>
    Number((await readFile(`/proc/${String(pid)}/schedstat`, 'utf8')).split(' ')[0]) / 1_000;
  const costs: Record<'accept' | 'take' | 'record', number[]> = { accept: [], take: [], record: [] };
  const cost = async <T>(step: keyof typeof costs, run: () => Promise<T>): Promise<T> => {
    const before = await micros();
    const answer = await run();
    costs[step].push(((await micros()) - before) / size);
    return answer;
  };
  for (let batch = 0; batch < batches; batch += 1) {
    const events = Array.from({ length: size }, (_, index) => eventOf(batch * size + index, consumerId));
    await cost('accept', () => accept(db, events, version));
    const answers = await cost('take', () =>
      take(
        db,
        events.flatMap((event) => event.deliveries.map((delivery) => delivery.id)),
      ),
    );
    const taken = answers.filter((answer) => answer.kind === 'taken');
    const recorded = await cost('record', () =>
      record(
        db,
        taken.map((one) => ({ ...acknowledged(one), ...HEADERS })),
      ),
    );
    if (recorded.filter((r) => r.recorded).length !== size) throw new Error('a delivery was not recorded');
    if (batch % 30 === 29) await sql`vacuum open_deliveries`.execute(db);
  }
  for (const [step, all] of Object.entries(costs)) {
    const sorted = all.slice(batches / 4).toSorted((a, b) => a - b);
    process.stdout.write(
      `${step}: ${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)} µs a delivery\n`,
    );
  }
  await db.destroy();
} finally {
  await postgres.remove();
}

async function registered(db: Database): Promise<string> {
  const id = newId();
  await sql`insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments,
                                   timestamp_unit, ordering, timeout_ms, max_concurrency)
    values (${id}, 'Acme', 'http://127.0.0.1:1/', '{}', '{}', '{}', false, 'seconds', 'payment', 10000, 1000)`.execute(
    db,
  );
  await sql`insert into consumer_gates (consumer_id) values (${id}) on conflict do nothing`.execute(db);
  await sql`insert into consumer_credentials (consumer_id, version, sealed, activate_at)
    values (${id}, 1, '', now() - interval '1 day')`.execute(db);
  return id;
}

/** Each payment has four statuses, twenty batches apart. */
function eventOf(n: number, consumerId: string): NewEvent {
  const round = Math.floor(n / (size * 20));
  const payment = (n % (size * 20)) + Math.floor(round / STATUSES) * size * 20;
  return {
    id: newId(),
    eventType: 'ach.status',
    paymentId: `P${String(payment)}`,
    followers: 0,
    status: 'PENDING',
    traceNumber: String(n),
    imad: null,
    eventAt: new Date(),
    producer: 'hub',
    body: bodyOf(n, 'statements', ['ACME']),
    traceparent: null,
    deliveries: [{ id: newId(), consumerId, ordered: true, behindInBatch: false }],
  };
}
