import type { IssueEvent } from '#libs/contracts';
import { sql } from 'kysely';
import { uuids } from '../connection/columns.js';
import type { Queryable } from '../connection/connection.js';

/**
 * Adds the messages about an event of these issues, in the transaction of the event: one for each channel whose filter
 * matches, and one for the consumer's contact if it is to know that the consumer is down. A message that exists is not added
 * again.
 */
export async function announce(
  trx: Queryable,
  issueIds: readonly string[],
  event: IssueEvent,
): Promise<void> {
  if (issueIds.length === 0) return;
  await sql`
    insert into channel_messages (channel_id, issue_id, event)
    select c.id, i.id, ${event} from health_issues i
    join channels c on c.enabled and c.deleted_at is null
      and (c.issue_kinds is null or i.kind = any (c.issue_kinds))
      -- An issue of the installation has no consumer, so a channel for some consumers does not get it.
      and (c.consumer_ids is null or i.consumer_id = any (c.consumer_ids))
    where i.id = any (${uuids(issueIds, (id) => id)})
    union all
    select null, i.id, ${event} from health_issues i
    join consumers s on s.id = i.consumer_id and s.notify_contact and s.deleted_at is null
    where i.id = any (${uuids(issueIds, (id) => id)}) and i.kind = 'down' and ${event} <> 'acknowledged'
    on conflict do nothing`.execute(trx);
}
