import type { Database } from '#libs/database';
import { sql } from 'kysely';

/**
 * What must be true of these consumers' deliveries at every moment. @returns every rule that is broken, in words
 * @param reopened deliveries that were opened again by hand: order does not bind them to what went before that
 */
export async function brokenRules(
  db: Database,
  consumerIds: readonly string[],
  reopened: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ rule: string }>`
    with mine as (select * from open_deliveries where consumer_id = any (${consumerIds}::uuid[])),
    on_time as (select * from mine where id <> all (${reopened}::uuid[])),
    finished as (select * from deliveries where consumer_id = any (${consumerIds}::uuid[]))
    select 'sent before an earlier status: ' || d.id as rule from on_time d where d.state = 'sending' and exists (
      select from on_time p
      where p.consumer_id = d.consumer_id and p.payment_id = d.payment_id and p.number < d.number)
    union all
    select 'two of one payment are being sent: ' || payment_id from on_time where state = 'sending'
    group by consumer_id, payment_id having count(*) > 1
    union all
    select 'open and finished at once: ' || d.id from mine d join finished f on f.id = d.id
    union all
    select 'attempts with a gap or a double: ' || delivery_id from attempts
    group by delivery_id having max(number) <> count(*) or min(number) <> 1
    union all
    select 'attempts that are not counted: ' || d.id
    from (select id, attempts from mine union all select id, attempts from finished) d
    where d.attempts <> (select count(*) from attempts a where a.delivery_id = d.id)`.execute(db);
  return rows.map(({ rule }) => rule);
}
