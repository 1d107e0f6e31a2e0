import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `alter table audit_log
     add column role text,
     add column before jsonb,
     add column after jsonb`,
  // Newest first, whichever filter narrows it.
  `create index audit_log_at on audit_log (at, id)`,
  `create index audit_log_actor on audit_log (actor, at, id)`,
  `create index audit_log_action on audit_log (action, at, id)`,
  `create index audit_log_target on audit_log (target, at, id)`,
  // Holds for the owner of the table too. Who may alter the table (its owner, a superuser) could drop the triggers
  // first: to shut that out, let the application use a role that owns nothing.
  `create function refuse_change_of_audit_log() returns trigger language plpgsql as $$
   begin
     raise exception 'audit_log takes new entries only: % is refused', lower(tg_op)
       using errcode = 'insufficient_privilege';
   end $$`,
  `create trigger audit_log_append_only before update or delete on audit_log
     for each row execute function refuse_change_of_audit_log()`,
  `create trigger audit_log_not_truncated before truncate on audit_log
     for each statement execute function refuse_change_of_audit_log()`,
  // Also in a session that replays changes (session_replication_role).
  `alter table audit_log enable always trigger audit_log_append_only`,
  `alter table audit_log enable always trigger audit_log_not_truncated`,

  `alter table consumer_credentials add column created_by text`,
  `alter table consumers add column last_credential_version integer not null default 1`,
  `update consumers c set last_credential_version = v.newest
   from (select consumer_id, max(version) as newest from consumer_credentials group by consumer_id) v
   where v.consumer_id = c.id`,

  `create index api_keys_consumer on api_keys (consumer_id, id) where consumer_id is not null`,

  // A consumer's newest failures, whichever partitions they are in. Set for failures alone, so that the statistics of
  // this one column say how many a consumer has, and the planner reads the newest in order instead of sorting them all.
  `alter table attempts add column failed_consumer_id uuid`,
  `update attempts a set failed_consumer_id = d.consumer_id
   from (select id, consumer_id from deliveries union all select id, consumer_id from open_deliveries) d
   where d.id = a.delivery_id and a.outcome <> 'acknowledged'`,
  `create index attempts_failed on attempts (failed_consumer_id, started_at) where failed_consumer_id is not null`,
];

/** The audit log's columns and its guard, cut-overs of credentials, consumers' keys, and failures by consumer. */
export const auditAndCredentials: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
