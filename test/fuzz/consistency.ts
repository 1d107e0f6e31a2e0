import { Client } from 'pg';
import type { Fuzzer } from '#test/fuzz/fuzzer';

/** Counts of rows that must not exist if every change was written completely. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  'a delivery without its event': `
    select count(*) from (select event_id from pending_deliveries union all select event_id from deliveries) d
    where not exists (select from events where events.id = d.event_id)`,
  'a delivery that is pending and finished': `
    select count(*) from pending_deliveries join deliveries using (id)`,
  'an event whose deliveries are missing': `
    select count(*) from events, unnest(delivery_ids || added_delivery_ids) as wanted
    where not exists (select from pending_deliveries where id = wanted)
      and not exists (select from deliveries where id = wanted)`,
  'an event without its idempotency key': `
    select count(*) from events where not exists
      (select from idempotency_keys where notification_id = events.id)`,
  'a payment whose number of events is wrong': `
    select count(*) from payments where last_number <> (
      select count(*) from events where events.event_type = payments.event_type and events.payment_id = payments.payment_id)`,
  'a consumer without its runtime or credentials': `
    select count(*) from consumers where not exists (select from consumer_runtime where consumer_id = consumers.id)
      or not exists (select from consumer_credentials where consumer_id = consumers.id)`,
  'a consumer without an entry in the audit log': `
    select count(*) from consumers where not exists
      (select from audit_log where action = 'consumer.registered' and target = 'consumer:' || consumers.id)`,
  'a key without an entry in the audit log': `
    select count(*) from api_keys where not exists
      (select from audit_log where action = 'api-key.created' and details ->> 'apiKeyId' = api_keys.id::text)`,
};

/** Counts that must equal the number of successful answers. */
const COUNTED: Readonly<Record<string, (done: (operation: string) => number) => number>> = {
  'select count(*) from consumers': (done) => done('registerConsumer 201'),
  "select count(*) from audit_log where action = 'consumer.registered'": (done) =>
    done('registerConsumer 201'),
  'select count(*) from api_keys': (done) => done('createApiKey 201') + done('createConsumerKey 201'),
  'select count(*) from consumer_credentials': (done) =>
    done('registerConsumer 201') + done('addCredentials 201') - done('dropCredentials 204'),
  'select count(*) from bulk_actions': (done) => done('startBulkAction 202'),
};

/** All inconsistencies within the database, and between the database and the answers of the api. */
export async function inconsistencies(databaseUrl: string, fuzzer: Fuzzer): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const count = async (question: string): Promise<number> =>
    Number((await client.query<{ count: string }>(question)).rows[0]?.count);
  const done = (operation: string): number => fuzzer.done.get(operation) ?? 0;
  try {
    const found: string[] = [];
    for (const [what, question] of Object.entries(FORBIDDEN)) {
      const times = await count(question);
      if (times > 0) found.push(`${what}: ${String(times)}`);
    }
    for (const [question, expected] of Object.entries(COUNTED)) {
      const [has, wanted] = [await count(question), expected(done)];
      if (has !== wanted)
        found.push(`${question}: ${String(has)} rows, ${String(wanted)} successful answers`);
    }
    const idsIn = async (question: string): Promise<Set<string>> =>
      new Set((await client.query<{ id: string }>(question)).rows.map(({ id }) => id));
    const events = await idsIn('select id from events');
    const deliveries = await idsIn('select id from pending_deliveries union all select id from deliveries');
    for (const [what, ids, stored] of [
      ['accepted events are not stored', fuzzer.notificationIds, events],
      ['stored events were not accepted', events, fuzzer.notificationIds],
      ['deliveries of accepted events are missing', fuzzer.deliveryIds, deliveries],
    ] as const) {
      const missing = [...ids].filter((id) => !stored.has(id)).length;
      if (missing > 0) found.push(`${String(missing)} ${what}`);
    }
    return found;
  } finally {
    await client.end();
  }
}
