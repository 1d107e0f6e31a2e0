import type { Queryable } from '#libs/database';
import { sql } from 'kysely';

/** How many rows a table holds. */
export async function rowsIn(db: Queryable, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.id(table)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
