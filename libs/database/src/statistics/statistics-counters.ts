import { latencyBucket } from '#libs/policy';
import type { MinuteRow } from './statistics.repository.js';

const MINUTE_MS = 60_000;

const KEPT_MINUTES = 5;

/** More (minutes times consumers) than can be written is dropped, the oldest first: PostgreSQL is unreachable for long. */
const MOST_KEPT = 20_000;

/** What became of one recorded attempt. */
export interface CountedAttempt {
  readonly consumerId: string;
  readonly succeeded: boolean;
  readonly end: 'delivered' | 'dead' | null;
  /** From acceptance to the acknowledgement. */
  readonly latencyMs: number;
}

/** A row that is still being counted. */
interface Counts {
  readonly row: { -readonly [K in keyof MinuteRow]: MinuteRow[K] } & { latency: number[] };
  isDirty: boolean;
}

/**
 * Counts, minute by minute, what this process does: of each consumer, and of everybody. It keeps a minute's counts
 * until they are written for the last time, so that writing is repeating, and a write that was lost costs nothing.
 */
export class StatisticsCounters {
  private readonly minutes = new Map<string, Counts>();

  /** An event was accepted, for these consumers. */
  accepted(consumerIds: readonly string[], now = new Date()): void {
    for (const id of [null, ...consumerIds]) this.row(id, now).accepted += 1;
  }

  attempted({ consumerId, succeeded, end, latencyMs }: CountedAttempt, now = new Date()): void {
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

  /** A delivery died without an attempt. */
  died(consumerId: string, now = new Date()): void {
    for (const id of [null, consumerId]) this.row(id, now).dead += 1;
  }

  /** Gives what has changed since it was last written to `write`; when that fails it stays changed. */
  async flush(write: (rows: readonly MinuteRow[]) => Promise<void>, now = new Date()): Promise<void> {
    const dirty = [...this.minutes.values()].filter((counts) => counts.isDirty);
    if (dirty.length === 0) return;
    const rows = dirty.map(({ row }) => ({ ...row, latency: [...row.latency] }));
    for (const counts of dirty) counts.isDirty = false;
    try {
      await write(rows);
    } catch (error) {
      for (const counts of dirty) counts.isDirty = true;
      throw error;
    } finally {
      this.forget(now);
    }
  }

  /**
   * Minutes that are over and written, and the oldest of far too many. The last few stay: a clock that is set back comes
   * into them again, and a row begun anew would replace what was counted.
   */
  private forget(now: Date): void {
    const over = minuteOf(now).getTime() - KEPT_MINUTES * MINUTE_MS;
    for (const [key, { row, isDirty }] of this.minutes) {
      if ((!isDirty && row.minute.getTime() < over) || this.minutes.size > MOST_KEPT)
        this.minutes.delete(key);
    }
  }

  /** The row to count in, which is then to be written. */
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
