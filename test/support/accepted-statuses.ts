import { runSql } from '#test/support/run-sql';

/** The statuses of a producer's events by payment, in the order of their acceptance. */
export async function acceptedStatuses(
  databaseUrl: string,
  producer: string,
): Promise<Record<string, string[]>> {
  const rows = await runSql<{ payment_id: string; statuses: string[] }>(
    databaseUrl,
    `select payment_id, array_agg(status order by number) as statuses
       from events where producer = $1 group by payment_id`,
    [producer],
  );
  return Object.fromEntries(rows.map(({ payment_id, statuses }) => [payment_id, statuses]));
}
