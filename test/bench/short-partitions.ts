import {
  dropOldPartitions,
  firstIdAt,
  trimIdempotencyKeys,
  trimPayments,
  type Database,
} from '#libs/database';
import { sql } from 'kysely';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const PARTITIONED = ['events', 'deliveries', 'attempts'] as const;
/** As the product makes them: eight ahead. */
const AHEAD = 8;
/** In a short run, for the time until the load begins. */
const LEAST_AHEAD_MS = 120_000;
/** The age at which the product removes idempotency keys; for this run also that of payments and partitions. */
const RETENTION_DAYS = 7;
/** Rows of one statement, as in the product. */
const PAGE = 5_000;

/**
 * Partitions of seconds instead of weeks, so that one run makes, fills and drops several. They are made with the statements
 * of `ensurePartitions`, and removed by the product's own functions, to which a moment in the future is passed as now.
 */
export class ShortPartitions {
  /** Replaces the partitions of this week, which have to be empty. */
  static async begin(db: Database, lengthMs: number): Promise<ShortPartitions> {
    const week = Math.floor(Date.now() / WEEK_MS);
    const day = new Date(week * WEEK_MS).toISOString().slice(0, 10).replaceAll('-', '');
    for (const table of PARTITIONED) await sql`drop table ${sql.id(`${table}_${day}`)}`.execute(db);
    const partitions = new ShortPartitions(db, lengthMs, Date.now() - lengthMs);
    await partitions.make();
    return partitions;
  }

  made = 0;
  dropped = 0;

  private constructor(
    private readonly db: Database,
    private readonly lengthMs: number,
    private untilMs: number,
  ) {}

  /** Makes the missing partitions. */
  async make(): Promise<void> {
    while (this.untilMs < Date.now() + Math.max(AHEAD * this.lengthMs, LEAST_AHEAD_MS)) {
      const [from, to] = [this.untilMs, this.untilMs + this.lengthMs];
      for (const table of PARTITIONED) {
        const name = sql.id(`${table}_${String(from)}`);
        await sql`create table ${name} (like ${sql.id(table)} including defaults including constraints)`.execute(
          this.db,
        );
        await sql`alter table ${sql.id(table)} attach partition ${name}
          for values from (${sql.lit(firstIdAt(from))}) to (${sql.lit(firstIdAt(to))})`.execute(this.db);
      }
      this.untilMs = to;
      this.made += 1;
    }
  }

  /** Removes what is older than one partition. @returns the duration in milliseconds */
  async retain(): Promise<number> {
    const startedAt = performance.now();
    const now = new Date(startedAt + performance.timeOrigin - this.lengthMs + RETENTION_DAYS * DAY_MS);
    this.dropped += (await dropOldPartitions(this.db, now, RETENTION_DAYS)).length / PARTITIONED.length;
    while ((await trimIdempotencyKeys(this.db, now, PAGE)) === PAGE);
    while ((await trimPayments(this.db, now, RETENTION_DAYS, PAGE)) === PAGE);
    return performance.now() - startedAt;
  }
}
