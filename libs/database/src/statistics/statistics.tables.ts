import type { Generated } from 'kysely';

/** What one process counted in one minute; without a consumer: of everybody. */
export interface StatsMinutesTable {
  consumer_id: string | null;
  minute: Date;
  process_id: string;
  accepted: number;
  delivered: number;
  dead: number;
  attempts: number;
  failed_attempts: number;
  /** Deliveries by latency, a count for each of `LATENCY_BOUNDS_MS` (libs/policy), without the zeros at the end. */
  latency: number[];
}

/** A worker process that lives, or did until it was last seen. */
export interface WorkersTable {
  id: string;
  host: string;
  pid: number;
  started_at: Generated<Date>;
  seen_at: Generated<Date>;
  concurrency: number;
  /** Deliveries that it sends at the moment. */
  sending: string[];
  /** Consumers that it serves. */
  sessions: string[];
  /** Those of them whose limits keep deliveries waiting. */
  at_limit: string[];
}
