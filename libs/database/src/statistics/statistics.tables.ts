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
  /** Deliveries by latency, a count for each of `LATENCY_BOUNDS_MS` (libs/delivery), without the zeros at the end. */
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
  sending: number;
}
