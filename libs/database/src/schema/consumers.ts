/** Tables of the installation's state, and of the consumers with their credentials, certificates and requested URLs. */
export const CONSUMER_TABLES: readonly string[] = [
  `create table dispatcher_state (
     only_row boolean primary key default true check (only_row),
     routing_version bigint not null default 1,
     paused_at timestamptz,
     pause_reason text,
     unrouted_seen_until timestamptz
   )`,
  `insert into dispatcher_state default values`,

  `create table consumers (
     id uuid primary key,
     name text not null,
     external_id text,
     url text not null,
     contact text,
     -- Whether the contact gets a mail when the consumer is down, and when it has recovered.
     notify_contact boolean not null default false,
     notes text,
     event_types text[] not null,
     ach_company_ids text[] not null,
     wire_company_ids text[] not null,
     all_payments boolean not null,
     timestamp_unit text not null check (timestamp_unit in ('seconds', 'milliseconds')),
     ordering text not null check (ordering in ('payment', 'none')),
     timeout_ms integer not null,
     max_concurrency integer not null,
     max_per_second integer,
     retry_schedule integer[],
     state text not null default 'active' check (state in ('active', 'paused')),
     paused_at timestamptz,
     -- When a pause ends automatically; null: it lasts until an operator resumes the consumer.
     paused_until timestamptz,
     pause_reason text,
     last_credential_version integer not null default 1,
     ca_certificate text,
     ca_certificates jsonb not null default '[]',
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now(),
     deleted_at timestamptz,
     -- dispatcher_state.routing_version of the last change.
     routing_version bigint not null default 0,
     check ((state = 'paused') = (paused_at is not null)),
     check (paused_until is null or state = 'paused')
   )`,
  // An external id is free again once its consumer is removed.
  `create unique index consumers_external_id on consumers (external_id) where deleted_at is null`,
  // routingSince: the consumers that have changed since a process read them.
  `create index consumers_routing_version on consumers (routing_version)`,
  // resumeExpiredPauses, every few seconds.
  `create index consumers_paused_until on consumers (paused_until) where paused_until is not null`,
  // GET /v1/search: the beginning of a name, case-insensitive.
  `create index consumers_name on consumers (lower(name) text_pattern_ops) where deleted_at is null`,

  // Values that change while a consumer is served. Separate from the settings, so that updates stay small.
  `create table consumer_runtime (
     consumer_id uuid primary key references consumers (id),
     -- The fencing token: opening a delivery session adds one; an earlier session can then record nothing more.
     session bigint not null default 0,
     -- A worker is fetching this consumer's deliveries, so accept adds no job for it.
     session_open boolean not null default false,
     failures integer not null default 0,
     failed_deliveries uuid[] not null default '{}',
     first_failure_at timestamptz,
     -- Written only when a session ends or the health changes; until then stats_minutes may have a newer one.
     last_success_at timestamptz,
     circuit_opened_at timestamptz,
     failed_probes integer not null default 0,
     next_probe_at timestamptz,
     -- When max_per_second allows the next request; written when a session ends.
     next_send_at timestamptz,
     secret_fault text,
     secret_fault_at timestamptz,
     check ((circuit_opened_at is null) = (next_probe_at is null)),
     check ((secret_fault is null) = (secret_fault_at is null))
   ) with (fillfactor = 50)`,

  // Past times that count against no delivery; null: of any consumer. A current pause is in consumers.paused_at.
  `create table excluded_downtime (
     id bigint generated always as identity primary key,
     consumer_id uuid references consumers (id),
     cause text not null check (cause in ('paused', 'outage', 'secret')),
     began_at timestamptz not null,
     ended_at timestamptz not null
   )`,
  `create index excluded_downtime_consumer on excluded_downtime (consumer_id, ended_at)`,

  `create table consumer_credentials (
     consumer_id uuid not null references consumers (id),
     version integer not null,
     sealed text not null,
     activate_at timestamptz not null,
     created_at timestamptz not null default now(),
     created_by text,
     -- The chain of the private key that is sealed in this row.
     client_certificates jsonb not null default '[]',
     primary key (consumer_id, version)
   )`,
  // The certificate that a consumer's server presented last, and the origin of that server.
  `create table server_certificates (
     consumer_id uuid primary key references consumers (id),
     origin text not null,
     certificate jsonb not null,
     seen_at timestamptz not null default now()
   )`,
  // All certificates on which the deliveries of live consumers depend now.
  `create view certificates_in_use as
     select c.id as consumer_id, 'client' as use, f.certificate, f.place, null::timestamptz as seen_at
     from consumers c
     cross join lateral (
       select v.client_certificates from consumer_credentials v
       where v.consumer_id = c.id and v.activate_at <= statement_timestamp()
       order by v.activate_at desc, v.version desc limit 1
     ) in_force
     cross join lateral jsonb_array_elements(in_force.client_certificates) with ordinality f (certificate, place)
     where c.deleted_at is null
     union all
     select c.id, 'authority', f.certificate, f.place, null
     from consumers c cross join lateral jsonb_array_elements(c.ca_certificates) with ordinality f (certificate, place)
     where c.deleted_at is null
     union all
     select c.id, 'server', s.certificate, 1, s.seen_at
     from consumers c join server_certificates s on s.consumer_id = c.id and starts_with(c.url, s.origin || '/')
     where c.deleted_at is null`,

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
];
