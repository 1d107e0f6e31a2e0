import { Client, type QueryResultRow } from 'pg';

/** One statement on a connection of its own: what a test ages or counts behind the product's back. */
export async function runSql<Row extends QueryResultRow>(
  databaseUrl: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}
