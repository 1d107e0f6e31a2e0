import { newId } from '#libs/contracts';
import { createVault, readKeyring } from '#libs/vault';
import type { Client } from 'pg';

/** The limits of a consumer; the product's defaults otherwise. */
export interface ConsumerLimits {
  /** Requests at once; 64 by default. */
  readonly maxConcurrency?: number;
  /** Seconds after which a failed delivery is sent again, one for each attempt. */
  readonly retrySchedule?: readonly number[];
}

interface NewConsumers extends ConsumerLimits {
  /** One for each consumer. */
  readonly companies: readonly string[];
  readonly url: string;
}

/** Inserts consumers whose credentials the keyring opens. @returns their ids */
export async function insertConsumers(
  sql: Client,
  keyring: string,
  { companies, url, maxConcurrency = 64, retrySchedule }: NewConsumers,
): Promise<string[]> {
  const vault = createVault(readKeyring(keyring));
  const values = {
    signingSecret: 'a signing secret of thirty-two b',
    username: 'bank',
    password: 'secret of the bank',
  };
  const ids = companies.map(() => newId());
  const sealed = await Promise.all(ids.map((consumerId) => vault.seal({ consumerId, version: 1 }, values)));
  await sql.query('begin');
  await sql.query(
    `insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments, timestamp_unit,
                            ordering, timeout_ms, max_concurrency, retry_schedule)
     select id, company, $3, '{ach.status,wire.status}', array[company], array[company], false, 'seconds', 'payment',
            10000, $4, $5 from unnest($1::uuid[], $2::text[]) n (id, company)`,
    [ids, companies, url, maxConcurrency, retrySchedule ?? null],
  );
  await sql.query('insert into consumer_runtime (consumer_id) select unnest($1::uuid[])', [ids]);
  await sql.query(
    `insert into consumer_credentials (consumer_id, version, sealed, activate_at)
     select id, 1, sealed, now() from unnest($1::uuid[], $2::text[]) n (id, sealed)`,
    [ids, sealed],
  );
  // Each api then reads these consumers. An older build has no version of a consumer: it reads all again.
  await sql.query('update dispatcher_state set routing_version = routing_version + 1');
  const { rowCount: hasVersion } = await sql.query(
    `select from information_schema.columns where table_name = 'consumers' and column_name = 'routing_version'`,
  );
  if (hasVersion === 1)
    await sql.query(
      'update consumers set routing_version = (select routing_version from dispatcher_state) where id = any ($1::uuid[])',
      [ids],
    );
  await sql.query('commit');
  return ids;
}
