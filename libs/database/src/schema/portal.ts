/** Tables of the portal of consumers' own people, and the columns that it adds to other tables. */
export const PORTAL_TABLES: readonly string[] = [
  `create table sign_in_links (
     id uuid primary key,
     consumer_id uuid not null references consumers (id),
     name text not null,
     -- SHA-256, as of API keys: only the link itself has the token.
     token_hash bytea not null unique,
     created_by text not null,
     created_at timestamptz not null default now(),
     expires_at timestamptz not null,
     used_at timestamptz,
     revoked_at timestamptz
   )`,
  // GET /v1/consumers/:id/sign-in-links.
  `create index sign_in_links_consumer on sign_in_links (consumer_id, id)`,
  // A link is used once, so it has one session at most.
  `alter table api_keys add column sign_in_link_id uuid unique references sign_in_links (id)`,

  `create table url_requests (
     id uuid primary key,
     consumer_id uuid not null references consumers (id),
     url text not null,
     -- The consumer's URL when the request was made: an approval is refused when it has changed since.
     url_before text not null,
     reason text,
     state text not null default 'waiting' check (state in ('waiting', 'approved', 'rejected', 'withdrawn')),
     made_by text not null,
     made_at timestamptz not null default now(),
     decided_by text,
     decided_at timestamptz,
     decision_reason text,
     check ((state = 'waiting') = (decided_at is null)),
     check ((decided_at is null) = (decided_by is null))
   )`,
  // One waiting request for each consumer, also of simultaneous requests.
  `create unique index url_requests_waiting on url_requests (consumer_id) where state = 'waiting'`,
  // GET /v1/portal/url-requests. GET /v1/url-requests reads the primary key.
  `create index url_requests_consumer on url_requests (consumer_id, id)`,

  // Started by this consumer's people in the portal. At most one replay runs for each consumer, also of simultaneous requests.
  `alter table bulk_actions add column started_for uuid references consumers (id)`,
  `create unique index bulk_actions_running_for on bulk_actions (started_for) where state = 'running'`,
  // GET /v1/portal/replays.
  `create index bulk_actions_started_for on bulk_actions (started_for, id) where started_for is not null`,
];
