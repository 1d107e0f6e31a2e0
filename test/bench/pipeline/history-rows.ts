import type { Client } from 'pg';

/** Statuses of a payment. */
export const STATUSES = 4;
/** Characters of a body that are kept: bodies are read by their id alone, so that their size is but disk. */
const BODY = 400;

/** A UUIDv7 of row `i`: its time, and its number for the rest. */
const id = (kind: '8' | '9'): string =>
  `(lpad(to_hex(ms), 12, '0') || '7000${kind}' || lpad(to_hex(i), 15, '0'))::uuid`;
const AT = 'to_timestamp(ms / 1000.0)';
const PAYMENT = `'H-' || i / ${String(STATUSES)}`;
const NUMBER = `i % ${String(STATUSES)} + 1`;

/** What distinguishes a row from the one that it is copied from; columns that stand nowhere here are copied. */
const OWN: Readonly<Record<Table, Readonly<Record<string, string>>>> = {
  events: {
    id: id('8'),
    payment_id: PAYMENT,
    number: NUMBER,
    trace_number: `t.trace_number || ${PAYMENT}`,
    imad: `t.imad || ${PAYMENT}`,
    event_at: AT,
    accepted_at: AT,
    body: `left(t.body, ${String(BODY)})`,
    delivery_ids: `array[${id('9')}]`,
  },
  deliveries: {
    id: id('9'),
    event_id: id('8'),
    payment_id: PAYMENT,
    number: NUMBER,
    created_at: AT,
    first_attempt_at: AT,
    finished_at: AT,
  },
  attempts: { delivery_id: id('9'), started_at: AT },
  payments: { payment_id: PAYMENT, updated_at: AT },
  idempotency_keys: {
    key_hash: 'sha256(int8send(i))',
    content_hash: 'sha256(int8send(i))',
    notification_id: id('8'),
    created_at: AT,
  },
};

/** The rows that are copied: each event with what belongs to it, under one number `n`. */
const SEEDS = {
  events: 'select row_number() over () - 1 as n, t.* from events t',
  deliveries: 'select n, t.* from seed_events e join deliveries t on t.event_id = e.id',
  attempts: 'select d.n, t.* from seed_deliveries d join attempts t on t.delivery_id = d.id and t.number = 1',
  payments: 'select n, t.* from seed_events e join payments t using (event_type, payment_id)',
  idempotency_keys: 'select n, t.* from seed_events e join idempotency_keys t on t.notification_id = e.id',
};

export type Table = keyof typeof SEEDS;

/** Keeps what is there now, one delivery an event, for `insertCopies`. */
export async function keepSeeds(client: Client): Promise<void> {
  for (const [table, select] of Object.entries(SEEDS)) {
    await client.query(`create unlogged table seed_${table} as ${select}`);
    await client.query(`analyze seed_${table}`);
  }
}

export async function dropSeeds(client: Client): Promise<void> {
  for (const table of Object.keys(SEEDS)) await client.query(`drop table seed_${table}`);
}

/** When rows were made: one after the other. */
export interface Past {
  readonly firstMs: number;
  readonly stepMs: number;
}

/** Rows from the one number to below the other. */
export interface Rows {
  readonly from: number;
  readonly below: number;
  readonly by?: number;
}

/** Writes copies of the seeds of a table into it or a partition of it. */
export async function insertCopies(
  client: Client,
  table: Table,
  into: string,
  { firstMs, stepMs }: Past,
  { from, below, by = 1 }: Rows,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped`,
  );
  const values = rows.map(({ name }) => OWN[table][name] ?? `t.${name}`);
  await client.query(`
    insert into ${into} (${rows.map(({ name }) => name).join(', ')})
    select ${values.join(', ')}
    from (select i, ${String(firstMs)} + i * ${String(stepMs)} as ms
          from generate_series(${String(from)}::bigint, ${String(below - 1)}, ${String(by)}) i) r
    join seed_${table} t on t.n = (i / ${String(STATUSES)}) % (select count(*) from seed_${table})`);
}
