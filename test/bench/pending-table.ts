import type { Client } from 'pg';

/** What the table of deliveries that are not finished has been called, the present name first. */
const NAMES = ['pending_deliveries', 'open_deliveries'];

/**
 * The name that the table has in this database: builds of either name are measured by the same files.
 * @throws when there is no such table
 */
export async function pendingTable(sql: Client): Promise<string> {
  const { rows } = await sql.query<{ name: string }>(
    'select name from unnest($1::text[]) with ordinality t (name, place) where to_regclass(name) is not null order by place',
    [NAMES],
  );
  const [first] = rows;
  if (first === undefined) throw new Error(`the database has none of the tables ${NAMES.join(', ')}`);
  return first.name;
}
