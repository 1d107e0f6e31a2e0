import { sql, type RawBuilder } from 'kysely';

/*
 * A planner that considers a table empty, as after a vacuum at a quiet moment, joins it in the wrong order: it reads
 * the whole table and compares each row with a list. Such a plan is kept until the table is analysed again, and reads
 * a million rows for each batch if a million are held meanwhile. With these conditions the planner can only look up
 * each row. Tested by `test/integration/plans-of-an-empty-table`.
 */

/**
 * The end of a scalar or lateral query for one row of a partitioned table. In an empty partition any index with the
 * id seems as good as the primary key. Only the primary key has this order; after an equality it has no effect.
 */
export const onlyRow = (column: string, value: string): RawBuilder<unknown> =>
  sql`${sql.ref(column)} between ${sql.ref(value)} and ${sql.ref(value)} order by ${sql.ref(column)} limit 1`;
