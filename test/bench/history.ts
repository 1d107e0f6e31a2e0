import { ensurePartitions, type Database } from '#libs/database';
import { sql } from 'kysely';

const DAY_MS = 86_400_000;
const DAYS = 90;
const WEEKS = 13;

/**
 * Fills an empty database with 90 days of a busy installation: `events` events, three deliveries each, 300 consumers
 * of very different size, some of them unavailable.
 * @param db of one connection, because the rows are computed in its temporary tables
 */
export async function fillHistory(db: Database, events: number): Promise<void> {
  const nowMs = Date.now();
  await ensurePartitions(db, new Date(nowMs - DAYS * DAY_MS), WEEKS);
  await ensurePartitions(db, new Date(nowMs));
  for (const statement of FUNCTIONS) await sql.raw(statement).execute(db);
  const firstMs = nowMs - DAYS * DAY_MS;
  const stepMs = (DAYS * DAY_MS - 3_600_000) / events;
  await sql`
    create temp table made_events as
    select i, i / 3 as p, case when i / 3 % 10 < 7 then 'ach.status' else 'wire.status' end as event_type,
           'P-' || i / 3 as payment_id, i % 3 + 1 as number, at,
           -- One status in 9,973 is rare; most payments are processed.
           case when i % 9973 = 0 then 'RETURNED' when i % 3 = 0 then 'PENDING' when i % 3 = 1 then 'IN_PROCESS'
                when i % 20 = 0 then 'REJECTED' else 'PROCESSED' end as status,
           pg_temp.id_at(at, '8', i) as event_id
    from generate_series(0, ${events - 1}::bigint) i,
         lateral (select to_timestamp((${firstMs}::float8 + i * ${stepMs}::float8) / 1000) as at) t`.execute(
    db,
  );
  await sql`
    create temp table made_deliveries as
    select e.*, serial, pg_temp.id_at(at, '9', serial) as id, pg_temp.chance(serial, 2) as luck,
           -- One consumer of each hundred; the first of them gets a sixth of the events, the last almost none.
           pg_temp.consumer_id(k * 100 + 1 + floor(100 * power(pg_temp.chance(p * 3 + k, 1), 2.5))::bigint) as consumer_id,
           -- The newest events may still be pending.
           i > ${events}::bigint * 0.86 and pg_temp.chance(serial, 3) < 0.476 as is_pending,
           case when serial % 10 < 5 then 'http_status' when serial % 10 < 8 then 'timeout' else 'connect' end as outcome,
           case when serial % 20011 = 0 then 418 when serial % 10 < 5 then 500 end as http_status
    from made_events e, generate_series(0, 2) k, lateral (select i * 3 + k as serial) s`.execute(db);
  for (const statement of ROWS) await sql.raw(statement).execute(db);
}

/** The id of consumer `number`, from 1 to 300, as an SQL expression. */
export const consumerId = (number: number): string => `pg_temp.consumer_id(${String(number)})`;

const FUNCTIONS = [
  // A UUIDv7 with this time; the kind and the serial number are its other digits.
  `create function pg_temp.id_at(at timestamptz, kind text, serial bigint) returns uuid language sql as $$
     select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || kind
             || lpad(to_hex(serial), 15, '0'))::uuid $$`,
  `create function pg_temp.consumer_id(number bigint) returns uuid language sql as $$
     select pg_temp.id_at(to_timestamp(1700000000), 'a', number) $$`,
  // A number from 0 to 1 that looks random and is the same in every run.
  `create function pg_temp.chance(serial bigint, salt bigint) returns float8 language sql as $$
     select abs(hashint8extended(serial, salt) % 1000000) / 1000000.0 $$`,
];

const ROWS = [
  `insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments, timestamp_unit,
                          ordering, timeout_ms, max_concurrency, state, paused_at)
   select pg_temp.consumer_id(n), 'consumer ' || n, 'http://127.0.0.1/', '{ach.status,wire.status}', array['C-' || n],
          '{}', false, 'seconds', 'payment', 10000, 64, case when n % 10 = 5 then 'paused' else 'active' end,
          case when n % 10 = 5 then now() end
   from generate_series(1, 300) n`,
  // One consumer in ten is unavailable: its circuit is open.
  `insert into consumer_runtime (consumer_id, failures, first_failure_at, circuit_opened_at, next_probe_at)
   select pg_temp.consumer_id(n), case when n % 10 = 0 then 20 else 0 end,
          case when n % 10 = 0 then now() - interval '1 hour' end,
          case when n % 10 = 0 then now() - interval '1 hour' end, case when n % 10 = 0 then now() end
   from generate_series(1, 300) n`,
  `insert into events (id, event_type, payment_id, number, status, trace_number, imad, event_at, accepted_at, producer,
                       body, consumer_ids, delivery_ids)
   select event_id, event_type, payment_id, number, status, 'T-' || p, 'I-' || p, at, at,
          case when i % 5000 = 0 then 'rare' else 'payments-hub' end,
          '{"notificationId":"' || event_id || '","data":"' || repeat('x', 600) || '"}', consumer_ids, delivery_ids
   from made_events join (select event_id, array_agg(consumer_id) as consumer_ids, array_agg(id) as delivery_ids
                          from made_deliveries group by event_id) d using (event_id)`,
  `insert into deliveries (id, event_id, consumer_id, event_type, payment_id, number, status, state, attempts, last_outcome,
                           last_http_status, created_at, first_attempt_at, finished_at, end_reason)
   select id, event_id, consumer_id, event_type, payment_id, number, status,
          case when luck < 0.01 then 'dead' when luck < 0.011 then 'cancelled' else 'delivered' end, 1,
          case when luck < 0.01 then outcome when luck >= 0.011 then 'acknowledged' end,
          case when luck < 0.01 then http_status when luck >= 0.011 then 200 end,
          at, at, at + interval '1 second', 'acknowledged'
   from made_deliveries where not is_pending`,
  // Three of five have failed once; half are due.
  `insert into pending_deliveries (id, event_id, consumer_id, event_type, payment_id, number, status, attempts, schedule_step,
                                   next_attempt_at, first_attempt_at, last_outcome, last_http_status, created_at,
                                   pending_since)
   select id, event_id, consumer_id, event_type, payment_id, number, status, (luck < 0.6)::int, (luck < 0.6)::int,
          now() + (luck - 0.5) * interval '1 day', case when luck < 0.6 then at end, case when luck < 0.6 then outcome end,
          case when luck < 0.6 then http_status end, at, at
   from made_deliveries where is_pending`,
  `insert into attempts (delivery_id, number, started_at, duration_ms, outcome, http_status, detail, url, credential_version,
                         request_headers, response_truncated)
   select id, 1, at, 12, 'acknowledged', 200, 'HTTP 200', 'http://127.0.0.1/', 1, '{}', false from made_deliveries`,
  `insert into payments (event_type, payment_id, last_number, company_ids, consumer_ids, newest_status, producers, updated_at)
   select distinct on (event_type, payment_id) event_type, payment_id, number, '{}', consumer_ids, status, array[producer],
          accepted_at
   from events order by event_type, payment_id, number desc`,
  // Three processes write a row a minute.
  `insert into stats_minutes (consumer_id, minute, process_id, accepted, delivered, dead, attempts, failed_attempts, latency)
   select null, date_trunc('minute', now()) - m * interval '1 minute', pg_temp.consumer_id(p), 8, 24, 0, 30, 6,
          '{0,0,0,0,1,2,4,6,5,3,2,1}'
   from generate_series(0, ${String(DAYS * 1_440 - 1)}) m, generate_series(1, 3) p`,
  'vacuum analyze',
];
