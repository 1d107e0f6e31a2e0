/** Executes SQL: the chaos environment. */
interface SqlSource {
  query<Row extends object>(text: string): Promise<Row[]>;
}

/** The opening of a consumer's delivery session; earlier sessions must record nothing after it. */
export interface SessionOpening {
  readonly consumer_id: string;
  readonly session: number;
  /** The worker that opened it; null if unknown. */
  readonly worker: number | null;
  /** PostgreSQL's clock, in milliseconds since 1970. */
  readonly opened_ms: number;
}

/** A request in flight of a session that was left: that session still records it. */
export interface Hold {
  readonly delivery_id: string;
  /** PostgreSQL's clock, in milliseconds since 1970. */
  readonly held_ms: number;
}

/** The product stores only the number in force, and a hold only until it ends, so triggers record each of them. */
const RECORD_OPENINGS = `
  create schema chaos;
  create table chaos.openings (
    consumer_id uuid not null, session bigint not null, opened_at timestamptz not null default clock_timestamp(),
    opened_by text not null default current_setting('application_name'));
  create function chaos.record_opening() returns trigger language plpgsql as $$
  begin
    insert into chaos.openings (consumer_id, session) values (new.consumer_id, new.session);
    return null;
  end $$;
  create trigger chaos_record_opening after update of session on consumer_runtime
    for each row when (new.session <> old.session) execute function chaos.record_opening();
  create table chaos.holds (delivery_id uuid not null, held_at timestamptz not null default clock_timestamp());
  create function chaos.record_hold() returns trigger language plpgsql as $$
  begin
    insert into chaos.holds (delivery_id) values (new.id);
    return null;
  end $$;
  create trigger chaos_record_hold after update of held_session on pending_deliveries
    for each row when (new.held_session is not null) execute function chaos.record_hold()`;

/** Installs the triggers. Call it between the migration and the start of the processes. */
export async function recordOpenings(environment: SqlSource): Promise<void> {
  await environment.query(RECORD_OPENINGS);
}

/** All openings in order. */
export function readOpenings(environment: SqlSource): Promise<SessionOpening[]> {
  return environment.query<SessionOpening>(
    `select consumer_id, session::int, substring(opened_by from '^worker ([0-9]+)$')::int as worker,
            extract(epoch from opened_at)::float8 * 1000 as opened_ms
     from chaos.openings order by opened_at`,
  );
}

/** All holds in order. */
export function readHolds(environment: SqlSource): Promise<Hold[]> {
  return environment.query<Hold>(
    `select delivery_id, extract(epoch from held_at)::float8 * 1000 as held_ms from chaos.holds order by held_at`,
  );
}
