import { newId } from '#libs/contracts';
import type { NewEvent, Queryable } from '#libs/database';
import { sql } from 'kysely';
import { newStatus } from '#test/support/new-status';

/** Inserts a consumer with unreadable credentials directly into the tables: nothing can be sent to it. */
export async function bareConsumer(
  db: Queryable,
  settings: { ordering?: 'payment' | 'none' } = {},
): Promise<string> {
  const id = newId();
  await sql`
    insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments, timestamp_unit,
                           ordering, timeout_ms, max_concurrency)
    values (${id}, 'consumer', 'http://127.0.0.1:9/', '{wire.status}', '{}', '{}', true, 'seconds',
            ${settings.ordering ?? 'payment'}, 10000, 64)`.execute(db);
  await sql`insert into consumer_runtime (consumer_id) values (${id})`.execute(db);
  await sql`insert into consumer_credentials (consumer_id, version, sealed, activate_at)
    values (${id}, 1, 'sealed', now() - interval '1 day')`.execute(db);
  return id;
}

/** An event with one delivery to this consumer. */
export const statusFor = (consumerId: string, given: Partial<NewEvent> = {}): NewEvent =>
  newStatus({ deliveries: [{ id: newId(), consumerId }], ...given });

/** The id of the event's first delivery. */
export const deliveryOf = (event: NewEvent): string => event.deliveries[0]?.id ?? '';
