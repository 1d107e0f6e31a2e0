import { sql, type RawBuilder } from 'kysely';

/*
 * A planner that believes a table to be empty, as after a vacuum at a quiet moment, joins it the wrong way round: it reads
 * the table whole, to compare each row with a list. Such a plan is kept until the table is looked at again, and reads a
 * million rows for each batch when a million are held meanwhile. These conditions leave it no other way than to look each
 * row up. `test/integration/plans-of-an-empty-table` is about that.
 */

/**
 * The rest of a scalar or lateral query for one row of a partitioned table. In an empty partition every index that has the id in any
 * place looks as good as the primary key; only that one has this order, which an equality would make meaningless.
 */
export const onlyRow = (column: string, value: string): RawBuilder<unknown> =>
  sql`${sql.ref(column)} between ${sql.ref(value)} and ${sql.ref(value)} order by ${sql.ref(column)} limit 1`;
