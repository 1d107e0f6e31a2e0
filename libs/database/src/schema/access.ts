/** Tables of API keys and sessions, and of the links that begin a session. */
export const ACCESS_TABLES: readonly string[] = [
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

  `create table api_keys (
     id uuid primary key,
     name text not null,
     roles text[] not null,
     key_hash bytea not null unique,
     consumer_id uuid references consumers (id),
     created_at timestamptz not null default now(),
     expires_at timestamptz,
     revoked_at timestamptz,
     -- Written once a minute at most.
     last_used_at timestamptz,
     -- A link is used once, so it has one session at most.
     sign_in_link_id uuid unique references sign_in_links (id)
   )`,
  `create index api_keys_consumer on api_keys (consumer_id, id) where consumer_id is not null`,
];
