import { latencyBucket } from '#libs/policy';
import type { MinuteRow } from './statistics.repository.js';

const MINUTE_MS = 60_000;

const KEPT_MINUTES = 5;
const CLOCKS_DIFFER_MS = 10_000;

/**
 * Maximum number of unwritten rows (minutes times consumers). During a long outage of PostgreSQL the oldest are
 * dropped.
 */
const MOST_KEPT = 20_000;

/** Result of one recorded attempt. */
interface CountedAttempt {
  readonly consumerId: string;
  readonly succeeded: boolean;
  readonly end: 'delivered' | 'dead' | null;
  /** Time from acceptance to acknowledgement, in milliseconds. */
  readonly latencyMs: number;
}

/** A row whose minute can still change. */
interface Counts {
  readonly row: { -readonly [K in keyof MinuteRow]: MinuteRow[K] } & { latency: number[] };
  isDirty: boolean;
}

/**
 * Counts the work of this process by minute, for each consumer and for all together. It keeps a minute's counts until
 * their last write. Each write has the total of the minute, so a lost write has no effect.
 */
export class StatisticsCounters {
  private readonly minutes = new Map<string, Counts>();
  /** How far PostgreSQL's clock is ahead of this process's: the minutes of all processes are read together. */
  private aheadMs = 0;

  /** Counts an accepted event for these consumers. */
  accepted(consumerIds: readonly string[], now = this.now()): void {
    for (const id of [null, ...consumerIds]) this.row(id, now).accepted += 1;
  }

  attempted({ consumerId, succeeded, end, latencyMs }: CountedAttempt, now = this.now()): void {
    for (const id of [null, consumerId]) {
      const row = this.row(id, now);
      row.attempts += 1;
      if (!succeeded) row.failedAttempts += 1;
      if (end === 'dead') row.dead += 1;
      if (end === 'delivered') {
        row.delivered += 1;
        const bucket = latencyBucket(latencyMs);
        while (row.latency.length <= bucket) row.latency.push(0);
        row.latency[bucket] = (row.latency[bucket] ?? 0) + 1;
      }
    }
  }

  /** Counts a delivery that became dead without an attempt. */
  died(consumerId: string, now = this.now()): void {
    for (const id of [null, consumerId]) this.row(id, now).dead += 1;
  }

  /**
   * Passes the rows that changed since their last write to `write`, which answers with PostgreSQL's time. If it fails,
   * they remain to be written.
   */
  async flush(write: (rows: readonly MinuteRow[]) => Promise<Date>, now = this.now()): Promise<void> {
    const dirty = [...this.minutes.values()].filter((counts) => counts.isDirty);
    if (dirty.length === 0) return;
    const rows = dirty.map(({ row }) => ({ ...row, latency: [...row.latency] }));
    for (const counts of dirty) counts.isDirty = false;
    try {
      this.follow(await write(rows));
    } catch (error) {
      for (const counts of dirty) counts.isDirty = true;
      throw error;
    } finally {
      this.forget(now);
    }
  }

  private now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  /** Follows PostgreSQL's clock when this process's differs from it by more than an answer takes. */
  private follow(postgresNow: Date): void {
    const aheadMs = postgresNow.getTime() - Date.now();
    if (Math.abs(aheadMs - this.aheadMs) > CLOCKS_DIFFER_MS) this.aheadMs = aheadMs;
  }

  /**
   * Removes written minutes of the past, and the oldest rows above the maximum. The last few minutes stay: after the
   * clock is set back they are counted again, and a new row would replace the former counts.
   */
  private forget(now: Date): void {
    const over = minuteOf(now).getTime() - KEPT_MINUTES * MINUTE_MS;
    for (const [key, { row, isDirty }] of this.minutes) {
      if ((!isDirty && row.minute.getTime() < over) || this.minutes.size > MOST_KEPT)
        this.minutes.delete(key);
    }
  }

  /** Returns the row for a count, and marks it as changed. */
  private row(consumerId: string | null, now: Date): Counts['row'] {
    const minute = minuteOf(now);
    const key = `${String(minute.getTime())} ${consumerId ?? ''}`;
    const known = this.minutes.get(key);
    if (known !== undefined) {
      known.isDirty = true;
      return known.row;
    }
    const zeros = { accepted: 0, delivered: 0, dead: 0, attempts: 0, failedAttempts: 0 };
    const row: Counts['row'] = { minute, consumerId, ...zeros, latency: [] };
    this.minutes.set(key, { row, isDirty: true });
    return row;
  }
}

const minuteOf = (at: Date): Date => new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
