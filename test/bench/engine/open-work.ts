import type { Client } from 'pg';

/** How many open deliveries there are of these consumers. */
export async function openOf(sql: Client, consumerIds: readonly string[]): Promise<number> {
  const { rows } = await sql.query<{ open: number }>(
    'select count(*)::int as open from open_deliveries where consumer_id = any ($1::uuid[])',
    [consumerIds],
  );
  return rows[0]?.open ?? 0;
}

/** Deliveries of these consumers that are being sent at this moment. */
export async function sendingOf(sql: Client, consumerIds: readonly string[]): Promise<number> {
  const { rows } = await sql.query<{ sending: number }>(
    `select count(*)::int as sending from open_deliveries
     where state = 'sending' and consumer_id = any ($1::uuid[])`,
    [consumerIds],
  );
  return rows[0]?.sending ?? 0;
}
