/** Answers SQL with rows; the stage does. */
interface SqlSource {
  ask<Row extends object>(text: string): Promise<Row[]>;
}

/** A delivery session of a consumer was opened: from then on an earlier one must record nothing. */
export interface SessionOpening {
  readonly consumer_id: string;
  readonly session: number;
  /** PostgreSQL's clock, in milliseconds since 1970. */
  readonly opened_ms: number;
}

/** The product keeps only the number in force, so a trigger of the suite's own writes down every one. */
const NOTE_OPENINGS = `
  create schema chaos;
  create table chaos.openings (
    consumer_id uuid not null, session bigint not null, opened_at timestamptz not null default clock_timestamp());
  create function chaos.note_opening() returns trigger language plpgsql as $$
  begin
    insert into chaos.openings (consumer_id, session) values (new.consumer_id, new.session);
    return null;
  end $$;
  create trigger chaos_note_opening after update of session on consumer_runtime
    for each row when (new.session <> old.session) execute function chaos.note_opening()`;

/** Call it once, between the migration and the start of the processes. */
export async function noteOpenings(stage: SqlSource): Promise<void> {
  await stage.ask(NOTE_OPENINGS);
}

/** Every session that was opened, in the order of opening. */
export function readOpenings(stage: SqlSource): Promise<SessionOpening[]> {
  return stage.ask<SessionOpening>(
    `select consumer_id, session::int, extract(epoch from opened_at)::float8 * 1000 as opened_ms
     from chaos.openings order by opened_at`,
  );
}
