import { ensurePartitions, type Database } from '#libs/database';
import { sql } from 'kysely';
import { say } from '#test/bench/engine/report';

const DAY_MS = 86_400_000;
const DAYS = 90;
const WEEKS = 13;
const CHUNK = 250_000;
const CONSUMERS = 300;
/** Everybody's events go to three consumers, one of each hundred: some get a sixth of them, some next to none. */
const RECIPIENTS = 3;
/** Statuses of a payment. */
const STATUSES = 3;
/** What is accepted after this share of the time may still be pending. */
const PENDING_AFTER = 0.86;

/** A UUIDv7 whose time is `ms` and whose rest is a serial number. */
const id = (ms: string, kind: string, serial: string): string =>
  `(lpad(to_hex(${ms}), 12, '0') || '7000${kind}' || lpad(to_hex(${serial}), 15, '0'))::uuid`;

/** The consumer of this number, from 1, the largest of its hundred first. */
export const consumerId = (number: string): string => id('1700000000000::bigint', 'c', `(${number})::bigint`);

/** A number from 0 to 1 that looks like chance and is the same in every run. */
const chance = (serial: string, salt: number): string =>
  `(((hashint8extended(${serial}, ${String(salt)}) % 1000000) + 1000000) % 1000000) / 1000000.0`;

/** What the lists are measured on: 90 days of a busy installation, `events` of them, three deliveries each. */
export async function fillHistory(db: Database, events: number, nowMs: number): Promise<void> {
  const world = new World(events, nowMs);
  await ensurePartitions(db, new Date(nowMs - DAYS * DAY_MS), WEEKS);
  await ensurePartitions(db, new Date(nowMs));
  await timed('consumers, keys, payments', async () => {
    for (const statement of [...CONSUMERS_AND_KEYS, world.payments()]) await run(db, statement);
  });
  // Two statements at a time: the machine has two cores.
  for (let from = 1; from <= events; from += CHUNK) {
    const to = Math.min(events, from + CHUNK - 1);
    await timed(`events ${String(from)} to ${String(to)} with deliveries and attempts`, async () => {
      await Promise.all([
        run(db, world.events(from, to)).then(() => run(db, world.pending(from, to))),
        run(db, world.deliveries(from, to)).then(() => run(db, world.attempts(from, to))),
      ]);
    });
  }
  await run(db, WORKER);
  await timed('vacuum and analyze', () => run(db, 'vacuum analyze'));
}

async function run(db: Database, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await work();
  say(`  ${what}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
}

/** Of consumer `n`: what keeps its deliveries waiting. */
const IS_DOWN = 'n % 10 = 0';
const IS_PAUSED = 'n % 10 = 5';
const IS_AT_LIMIT = 'n % 10 = 3';
const HAS_SECRET_FAULT = 'n % 97 = 0';

const CONSUMERS_AND_KEYS = [
  `insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments, timestamp_unit,
                          ordering, timeout_ms, max_concurrency, state, paused_at)
   select ${consumerId('n')}, 'consumer ' || n, 'http://127.0.0.1/', '{ach.status,wire.status}', array['C-' || n], '{}',
          false, 'seconds', 'payment', 10000, 64, case when ${IS_PAUSED} then 'paused' else 'active' end,
          case when ${IS_PAUSED} then now() end
   from generate_series(1, ${String(CONSUMERS)}) n`,
  `insert into consumer_runtime (consumer_id, failures, first_failure_at, circuit_opened_at, next_probe_at, secret_fault,
                                 secret_fault_at)
   select ${consumerId('n')}, case when ${IS_DOWN} then 20 else 0 end,
          case when ${IS_DOWN} then now() - interval '1 hour' end, case when ${IS_DOWN} then now() - interval '1 hour' end,
          case when ${IS_DOWN} then now() end, case when ${HAS_SECRET_FAULT} then 'bench' end,
          case when ${HAS_SECRET_FAULT} then now() end
   from generate_series(1, ${String(CONSUMERS)}) n`,
  `insert into api_keys (id, name, roles, key_hash)
   select ${id('1700000000000::bigint', 'd', 'n::bigint')}, 'key ' || n, '{viewer}', sha256(n::text::bytea)
   from generate_series(1, 1000) n`,
];

/** One that has reported what it sends, and does so for the next day. */
const WORKER = `
  insert into workers (id, host, pid, seen_at, concurrency, sending, at_limit)
  select ${consumerId('1')}, 'bench', 1, now() + interval '1 day', 512,
         array(select id from pending_deliveries order by md5(id::text) limit 512),
         array(select ${consumerId('n')} from generate_series(1, ${String(CONSUMERS)}) n where ${IS_AT_LIMIT})`;

/** The statements that make rows; all of them agree, by arithmetic, on what each event is. */
class World {
  private readonly firstMs: number;
  private readonly stepMs: number;

  constructor(
    private readonly total: number,
    nowMs: number,
  ) {
    this.firstMs = nowMs - DAYS * DAY_MS;
    this.stepMs = (DAYS * DAY_MS - 3_600_000) / total;
  }

  events(from: number, to: number): string {
    // A few concern nobody.
    const each = (of: (k: string) => string): string =>
      `case when i % 1000 = 0 then '{}'::uuid[] else array[${Array.from({ length: RECIPIENTS }, (_, k) => of(String(k))).join(', ')}] end`;
    return `
      insert into events (id, event_type, payment_id, number, status, trace_number, imad, event_at, accepted_at,
                          producer, body, consumer_ids, delivery_ids)
      select event_id, event_type, payment_id, number, ${status('i', 'number')},
             case event_type when 'ach.status' then 'T-' || p end, case event_type when 'wire.status' then 'I-' || p end,
             at, at,
             case when i % 5000 = 0 then 'seldom' when i % 3 = 0 then 'wires' else 'payments-hub' end,
             '{"notificationId":"' || event_id || '","data":"' || repeat('x', 600) || '"}',
             ${each((k) => consumerOf('i', k))}, ${each((k) => this.deliveryId(`(i * ${String(RECIPIENTS)} + ${k})`))}
      from ${this.eventsOf(from, to)}`;
  }

  deliveries(from: number, to: number): string {
    return `
      insert into deliveries (id, event_id, consumer_id, event_type, payment_id, number, status, state,
                              attempts, last_outcome, last_http_status, created_at, first_attempt_at, finished_at, end_reason)
      select id, event_id, consumer_id, event_type, payment_id, number, ${status('i', 'number')}, state, 1,
             case state when 'delivered' then 'acknowledged' when 'dead' then ${OUTCOME} end,
             case state when 'delivered' then (case when luck > 0.99 then 202 when luck > 0.96 then 204 else 200 end)
                        when 'dead' then (case when ${OUTCOME} = 'http_status' then ${HTTP_STATUS} end) end,
             at, at, at + interval '1 second', 'acknowledged'
      from (select *, case when luck < 0.01 then 'dead' when luck < 0.011 then 'cancelled' else 'delivered' end as state
            from ${this.deliveriesOf(from, to)} where not is_pending) d`;
  }

  /** Three of five have failed once; half are due. */
  pending(from: number, to: number): string {
    return `
      insert into pending_deliveries (id, event_id, consumer_id, event_type, payment_id, number, status, attempts,
                                      schedule_step, next_attempt_at, first_attempt_at, last_outcome, last_http_status, created_at,
                                      pending_since)
      select id, event_id, consumer_id, event_type, payment_id, number, ${status('i', 'number')}, has_failed::int, has_failed::int,
             now() + (luck - 0.5) * interval '1 day', case when has_failed then at end,
             case when has_failed then ${OUTCOME} end,
             case when has_failed and ${OUTCOME} = 'http_status' then ${HTTP_STATUS} end, at, at
      from (select *, luck < 0.6 as has_failed from ${this.deliveriesOf(from, to)} where is_pending) d`;
  }

  /** One each, and a second one of every third. */
  attempts(from: number, to: number): string {
    return `
      insert into attempts (delivery_id, number, started_at, duration_ms, outcome, http_status, detail, url,
                            credential_version, request_headers, response_truncated)
      select id, attempt, at, 12, 'acknowledged', 200, 'HTTP 200', 'http://127.0.0.1/', 1, '{}', false
      from ${this.deliveriesOf(from, to)} cross join generate_series(1, 1 + (serial % 3 = 0)::int) attempt`;
  }

  payments(): string {
    const last = `p * ${String(STATUSES)} + ${String(STATUSES)} - 1`;
    return `
      insert into payments (event_type, payment_id, last_number, company_ids, consumer_ids, newest_status, producers,
                            updated_at)
      select ${eventType('p')}, 'P-' || p, ${String(STATUSES)}, '{}',
             array(select ${consumerOf(last, 'k')} from generate_series(0, ${String(RECIPIENTS - 1)}) k),
             ${status(last, String(STATUSES))},
             array[case when p % 1700 = 0 then 'seldom' when p % 3 = 0 then 'wires' else 'payments-hub' end],
             ${this.at(last)}
      from generate_series(0, ${String(Math.floor(this.total / STATUSES) - 1)}) p`;
  }

  private eventsOf(from: number, to: number): string {
    return `(
      select i, i / ${String(STATUSES)} as p, ${eventType(`i / ${String(STATUSES)}`)} as event_type,
             'P-' || i / ${String(STATUSES)} as payment_id, i % ${String(STATUSES)} + 1 as number, ${this.at('i')} as at,
             ${id(this.ms('i'), '8', 'i')} as event_id
      from generate_series(${String(from)}::bigint, ${String(to)}) i
    ) e`;
  }

  private deliveriesOf(from: number, to: number): string {
    return `(
      select e.*, serial, ${this.deliveryId('serial')} as id, consumer_id, ${chance('serial', 2)} as luck,
             i > ${String(Math.floor(this.total * PENDING_AFTER))} and ${chance('hashint8(serial)', 3)} < 0.476 as is_pending
      from ${this.eventsOf(from, to)}
      cross join lateral (select i * ${String(RECIPIENTS)} + k as serial, ${consumerOf('i', 'k')} as consumer_id
                          from generate_series(0, ${String(RECIPIENTS - 1)}) k) d
    ) d`;
  }

  /** Of event `i`. */
  private deliveryId(serial: string): string {
    return id(this.ms('i'), '9', serial);
  }

  private ms(serial: string): string {
    return `(${String(this.firstMs)} + floor((${serial})::float8 * ${String(this.stepMs)}))::bigint`;
  }

  private at(serial: string): string {
    return `to_timestamp(${this.ms(serial)} / 1000.0)`;
  }
}

const eventType = (payment: string): string =>
  `case when (${payment}) % 10 < 7 then 'ach.status' else 'wire.status' end`;

/** Of each hundred the first gets 16 of 100 events, the last less than one of 200. */
const consumerOf = (serial: string, k: string): string =>
  consumerId(
    `${k} * 100 + 1 + floor(100 * power(${chance(`((${serial}) / ${String(STATUSES)} * 3 + ${k})::bigint`, 1)}, 2.5))`,
  );

/** The last status is mostly a good one; one in 9,973 is seldom seen. */
const status = (serial: string, number: string): string =>
  `case when (${serial}) % 9973 = 0 then 'RETURNED' when ${number} = 1 then 'PENDING' when ${number} = 2 then 'IN_PROCESS'
        when (${serial}) % 20 = 0 then 'REJECTED' else 'PROCESSED' end`;

const OUTCOME = `case when serial % 50021 = 0 then 'blocked_address' when serial % 10 < 5 then 'http_status'
  when serial % 10 < 8 then 'timeout' when serial % 10 < 9 then 'connect' else 'tls' end`;
const HTTP_STATUS = `case when serial % 20011 = 0 then 418 when serial % 10 < 2 then 500 when serial % 10 < 4 then 503 else 401 end`;

/** 90 days of a row a minute of each of three processes, of everybody, as a busy installation writes them. */
export async function fillStatistics(db: Database, nowMs: number): Promise<void> {
  await timed('statistics', async () => {
    await run(
      db,
      `insert into stats_minutes (consumer_id, minute, process_id, accepted, delivered, dead, attempts, failed_attempts,
                                  latency)
       select null, to_timestamp(${String(Math.floor(nowMs / 60_000) * 60)} - m * 60), ${consumerId('p')}, 8, 24, 0, 30, 6,
              '{0,0,0,0,1,2,4,6,5,3,2,1}'
       from generate_series(0, ${String(DAYS * 1_440 - 1)}) m cross join generate_series(1, 3) p`,
    );
    await run(db, 'vacuum analyze stats_minutes');
  });
}
