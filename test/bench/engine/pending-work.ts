import type { Client } from 'pg';

/** How many pending deliveries there are of these consumers. */
export async function pendingOf(sql: Client, consumerIds: readonly string[]): Promise<number> {
  const { rows } = await sql.query<{ pending: number }>(
    'select count(*)::int as pending from pending_deliveries where consumer_id = any ($1::uuid[])',
    [consumerIds],
  );
  return rows[0]?.pending ?? 0;
}

/** Deliveries of these consumers that were being sent when the workers reported last. */
export async function sendingOf(sql: Client, consumerIds: readonly string[]): Promise<number> {
  const { rows } = await sql.query<{ sending: number }>(
    `select count(*)::int as sending from workers w cross join unnest(w.sending) s (id)
     join pending_deliveries p on p.id = s.id where p.consumer_id = any ($1::uuid[])`,
    [consumerIds],
  );
  return rows[0]?.sending ?? 0;
}
