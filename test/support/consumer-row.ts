import { newId, type Ordering } from '#libs/contracts';
import type { Queryable } from '#libs/database';
import { sql } from 'kysely';

interface Given {
  readonly name?: string;
  readonly ordering?: Ordering;
  readonly pausedAt?: Date | null;
  readonly pausedUntil?: Date | null;
  readonly secretFaultAt?: Date | null;
  readonly circuitOpenedAt?: Date | null;
}

/** Inserts a consumer of all payments directly into the tables, with credentials that cannot be opened. @returns its id */
export async function insertConsumer(db: Queryable, given: Given = {}): Promise<string> {
  const id = newId();
  const { name = 'Acme', ordering = 'payment' } = given;
  const { pausedAt = null, pausedUntil = null, secretFaultAt = null, circuitOpenedAt = null } = given;
  await sql`
    insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments, timestamp_unit,
                           ordering, timeout_ms, max_concurrency, state, paused_at, paused_until)
    values (${id}, ${name}, 'http://127.0.0.1:9/', '{ach.status,wire.status}', '{}', '{}', true, 'seconds', ${ordering},
            10000, 64, ${pausedAt === null ? 'active' : 'paused'}, ${pausedAt}, ${pausedUntil})`.execute(db);
  await sql`
    insert into consumer_runtime (consumer_id, secret_fault, secret_fault_at, failures, first_failure_at,
                                  circuit_opened_at, next_probe_at)
    values (${id}, ${secretFaultAt === null ? null : 'no key'}, ${secretFaultAt},
            ${circuitOpenedAt === null ? 0 : 10}, ${circuitOpenedAt}, ${circuitOpenedAt}, ${circuitOpenedAt})`.execute(
    db,
  );
  await sql`
    insert into consumer_credentials (consumer_id, version, sealed, activate_at)
    values (${id}, 1, 'sealed', now() - interval '1 day')`.execute(db);
  return id;
}
