import { ISSUE_KINDS } from '#libs/contracts';

const kinds = ISSUE_KINDS.map((kind) => `'${kind}'`).join(', ');

/** The table of health issues. */
export const ISSUE_TABLES: readonly string[] = [
  `create table health_issues (
     id uuid primary key,
     -- Null: an issue of the whole installation.
     consumer_id uuid references consumers (id),
     kind text not null check (kind in (${kinds})),
     subject text not null,
     summary text not null,
     advice text not null,
     opened_at timestamptz not null default now(),
     last_seen_at timestamptz not null default now(),
     ended_at timestamptz,
     acknowledged_at timestamptz,
     acknowledged_by text,
     note text,
     resolved_at timestamptz,
     resolved_by text,
     resolution text,
     check ((acknowledged_at is null) = (acknowledged_by is null)),
     check ((resolved_by is null) = (resolution is null)),
     -- An ended condition needs no person; a person may resolve an issue earlier.
     check (ended_at is null or resolved_at is not null),
     check (resolved_by is null or resolved_at is not null)
   ) with (fillfactor = 50)`,
  // One ongoing issue for each condition: a repeated evaluation opens no second one.
  `create unique index health_issues_ongoing on health_issues (kind, consumer_id, subject)
     nulls not distinct where ended_at is null`,
  // GET /v1/issues: unresolved ones first, then the newest.
  `create index health_issues_list on health_issues ((resolved_at is null) desc, id desc)`,
];
