import { ensurePartitions, type Database } from '#libs/database';
import { sql } from 'kysely';
import { say } from '#test/bench/engine/report';

const WEEK_MS = 7 * 24 * 3_600_000;
const HISTORY_WEEKS = 12;
const CHUNK = 500_000;

/** Consumers by what holds their deliveries: numbers 1 to 300, in this order. */
export const CONSUMERS = { retrying: 100, circuit: 100, paused: 60, concurrency: 40 } as const;

/** A UUIDv7 whose time is `ms` and whose rest is a serial number, so that rows are found again by arithmetic. */
const id = (ms: string, kind: string, serial: string): string =>
  `(lpad(to_hex(${ms}), 12, '0') || '7000${kind}' || lpad(to_hex(${serial}), 15, '0'))::uuid`;

const consumerId = (number: string): string => id('1700000000000::bigint', 'c', `(${number})::bigint`);

async function run(db: Database, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await work();
  say(`  ${what}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
}

/**
 * Finished deliveries with their events and one attempt each, in time order over twelve weekly partitions. Bodies are
 * a few bytes: no statement of a sweep reads them, and the plans do not depend on them.
 */
export async function fillHistory(db: Database, deliveries: number, nowMs: number): Promise<void> {
  const firstMs = nowMs - HISTORY_WEEKS * WEEK_MS;
  const stepMs = (HISTORY_WEEKS * WEEK_MS - 3_600_000) / deliveries;
  await ensurePartitions(db, new Date(firstMs), HISTORY_WEEKS);
  await ensurePartitions(db, new Date(nowMs));
  const ms = `(${String(firstMs)} + floor(i::float8 * ${String(stepMs)}))::bigint`;
  const at = `to_timestamp(${ms} / 1000.0)`;
  const eventId = id(ms, '8', 'i::bigint');
  const deliveryId = id(ms, '9', 'i::bigint');
  const consumer = consumerId('i % 300 + 1');
  for (let from = 1; from <= deliveries; from += CHUNK) {
    const series = `generate_series(${String(from)}, ${String(Math.min(deliveries, from + CHUNK - 1))}) i`;
    await timed(`history from ${String(from)}`, async () => {
      await run(
        db,
        `insert into events (id, event_type, payment_id, number, status, event_at, accepted_at, producer, body,
                             consumer_ids, delivery_ids)
         select ${eventId}, 'ach.status', 'P-' || i / 5, i % 5 + 1, 'PROCESSED', ${at}, ${at}, 'bench', '{}',
                array[${consumer}], array[${deliveryId}] from ${series}`,
      );
      await run(
        db,
        `insert into deliveries (id, event_id, consumer_id, event_type, payment_id, number, state, attempts, lease, round,
                                 last_outcome, last_http_status, created_at, first_attempt_at, finished_at, end_reason)
         select ${deliveryId}, ${eventId}, ${consumer}, 'ach.status', 'P-' || i / 5, i % 5 + 1, 'delivered', 1, 1, 0,
                'acknowledged', 200, ${at}, ${at}, ${at}, 'acknowledged' from ${series}`,
      );
      await run(
        db,
        `insert into attempts (delivery_id, number, started_at, duration_ms, outcome, http_status, detail, url,
                               credential_version, request_headers, response_truncated)
         select ${deliveryId}, 1, ${at}, 12, 'acknowledged', 200, '', 'http://127.0.0.1/', 1, '{}', false from ${series}`,
      );
    });
  }
}

/** 300 consumers with credentials and gates: open circuits, five of which are due for a probe, paused ones, and others. */
async function addConsumers(db: Database): Promise<void> {
  const total = Object.values(CONSUMERS).reduce((sum, count) => sum + count, 0);
  const { retrying, circuit, paused } = CONSUMERS;
  const isCircuit = `n > ${String(retrying)} and n <= ${String(retrying + circuit)}`;
  const isPaused = `n > ${String(retrying + circuit)} and n <= ${String(retrying + circuit + paused)}`;
  await run(
    db,
    `insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments, timestamp_unit,
                            ordering, timeout_ms, max_concurrency, state, paused_at, deleted_at)
     select ${consumerId('n')}, 'consumer ' || n, 'http://127.0.0.1/', '{ach.status}', array['C-' || n], '{}', false,
            'seconds', 'payment', 10000, 64, case when ${isPaused} then 'paused' else 'active' end,
            case when ${isPaused} then now() end, case when n > ${String(total)} then now() end
     from generate_series(1, ${String(total + 3)}) n`,
  );
  await run(
    db,
    `insert into consumer_credentials (consumer_id, version, sealed, activate_at)
     select id, 1, '', now() - interval '1 day' from consumers`,
  );
  await run(
    db,
    `insert into consumer_gates (consumer_id, failures, first_failure_at, circuit_opened_at, next_probe_at)
     select ${consumerId('n')}, case when ${isCircuit} then 20 else 0 end,
            case when ${isCircuit} then now() - interval '1 hour' end,
            case when ${isCircuit} then now() - interval '1 hour' end,
            case when ${isCircuit} then now() + case when n % 20 = 0 then interval '-1 s' else interval '10 min' end end
     from generate_series(1, ${String(total + 3)}) n`,
  );
}

interface OpenRows {
  readonly rows: number;
  /** The number of the row's consumer, and whether it heads a lane that others wait in. */
  readonly consumer: string;
  readonly heads: number;
  readonly state: 'queued' | 'held' | 'sending';
  readonly reason: string | null;
}

/** Open deliveries. The first `heads` of a group head a lane each, in which 2 or 3 more wait for their turn. */
export async function fillOpen(db: Database, nowMs: number): Promise<void> {
  await addConsumers(db);
  const { retrying, circuit, paused, concurrency } = CONSUMERS;
  const groups: readonly OpenRows[] = [
    // Retries of consumers that fail now and then: their jobs wait in the queue's delayed set.
    { rows: 20_000, consumer: `r % ${String(retrying)} + 1`, heads: 20_000, state: 'queued', reason: null },
    {
      rows: 60_000,
      consumer: `r % ${String(circuit)} + 101`,
      heads: 10_000,
      state: 'held',
      reason: 'circuit',
    },
    { rows: 30_000, consumer: `r % ${String(paused)} + 201`, heads: 8_000, state: 'held', reason: 'paused' },
    {
      rows: 10_000,
      consumer: `r % ${String(concurrency)} + 261`,
      heads: 2_000,
      state: 'held',
      reason: 'concurrency',
    },
    // The windows of those at their limit are full: 64 each are being sent.
    {
      rows: 64 * concurrency,
      consumer: `r % ${String(concurrency)} + 261`,
      heads: 0,
      state: 'sending',
      reason: null,
    },
  ];
  const base = nowMs - 3 * 24 * 3_600_000;
  let serial = 0;
  for (const { rows, consumer, heads, state, reason } of groups) {
    const first = serial;
    serial += rows;
    const lanes = (extra: string): string => `
      insert into open_deliveries (id, event_id, consumer_id, event_type, payment_id, number, state, hold_reason,
                                   next_attempt_at, lease, lease_until, held_since, created_at)
      select ${id(`${String(base)} + (s * 7919) % 200000000`, 'a', 's * 4 + extra')},
             ${id(`${String(base)} + (s * 7919) % 200000000`, 'b', 's * 4 + extra')},
             ${consumerId(consumer)}, 'ach.status', 'OPEN-' || s, extra + 1,
             case when extra > 0 then 'held' else '${state}' end,
             case when extra > 0 then 'order' else ${reason === null ? 'null' : `'${reason}'`} end,
             now() + ${state === 'queued' ? `interval '1 day' + r * interval '1 second'` : `r * interval '-1 second'`},
             ${state === 'sending' ? '1' : '0'},
             case when extra = 0 and '${state}' = 'sending' then now() + interval '1 day' end,
             case when extra > 0 or '${state}' = 'held' then now() - interval '2 days' end, now() - interval '2 days'
      from (select r, r + ${String(first)}::bigint as s from generate_series(1, ${String(rows)}) r) n
      cross join generate_series(0, 3) extra
      where ${extra}`;
    await run(db, lanes('extra = 0'));
    // Two and three in turn: 2.5 a lane.
    if (heads > 0) await run(db, lanes(`extra between 1 and 2 + s % 2 and r <= ${String(heads)}`));
  }
}

/** A handful of wrong things that a sweep has to find among all that is right. */
export async function breakSomething(db: Database): Promise<void> {
  await run(
    db,
    `update open_deliveries set next_attempt_at = now() - interval '1 minute' where id in (
       select id from open_deliveries where state = 'queued' order by md5(id::text) limit 10)`,
  );
  await run(
    db,
    `update open_deliveries set lease_until = now() - interval '1 minute' where id in (
       select id from open_deliveries where state = 'sending' order by md5(id::text) limit 5)`,
  );
  // Near the beginning, where the patrol that is measured passes.
  await run(
    db,
    `delete from open_deliveries where id in (
       select h.id from (select * from open_deliveries where state = 'queued' order by id limit 20) h limit 3)`,
  );
}

/** Work for the steps that had none: windows that are half empty, a removed consumer's rest, and what was held too long. */
export async function giveWork(db: Database): Promise<void> {
  await run(
    db,
    `delete from open_deliveries where id in (
       select id from (
         select id, consumer_id, row_number() over (partition by consumer_id order by id) as n
         from open_deliveries where state = 'sending'
       ) s where n <= 32 and consumer_id in (select ${consumerId('n')} from generate_series(261, 270) n))`,
  );
  await run(
    db,
    `update open_deliveries set consumer_id = ${consumerId('301')} where id in (
       select id from open_deliveries where state = 'queued' order by md5(id::text) desc limit 5)`,
  );
  await run(
    db,
    `update open_deliveries set held_since = now() - interval '8 days' where id in (
       select id from open_deliveries where state = 'held' and hold_reason = 'circuit' order by md5(id::text) limit 20)`,
  );
}
