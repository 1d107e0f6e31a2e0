import type { Queryable } from '#libs/database';
import { sql } from 'kysely';

/** The number of rows of a table. */
export async function rowsIn(db: Queryable, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.id(table)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
