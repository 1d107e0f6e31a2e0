import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // PEM, and what is shown of each certificate in it.
  `alter table consumers
     add column ca_certificate text,
     add column ca_certificates jsonb not null default '[]'`,
  // Of the chain whose private key is sealed in the same row.
  `alter table consumer_credentials add column client_certificates jsonb not null default '[]'`,
  // What a consumer's server presented last, and where.
  `create table server_certificates (
     consumer_id uuid primary key references consumers (id),
     origin text not null,
     certificate jsonb not null,
     seen_at timestamptz not null default now()
   )`,
  // Every certificate that a live consumer's deliveries depend on now.
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
];

/** Private authorities, client certificates, and what consumers' servers present: docs/adr/0022-tls-and-exit.md. */
export const certificates: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
