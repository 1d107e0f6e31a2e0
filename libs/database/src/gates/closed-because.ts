import { sql, type RawBuilder } from 'kysely';

/** What holds everything of consumer `c` with the gate `g`; null while its gate is open. */
export const CLOSED_BECAUSE: RawBuilder<string | null> = sql`case
  when c.state = 'paused' or (select s.paused_at is not null from dispatcher_state s) then 'paused'
  when g.secret_fault is not null then 'secret'
  when g.circuit_opened_at is not null then 'circuit' end`;
