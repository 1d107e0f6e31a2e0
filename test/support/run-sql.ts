import { Client } from 'pg';

/** Runs one statement on a new connection, to change or count rows without the product's code. */
export async function runSql<Row extends object>(
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
