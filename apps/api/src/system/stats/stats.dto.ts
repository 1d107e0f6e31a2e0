import type { Count, Instant } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';

/** One step of a chart. */
export class StatsPointDto {
  /** Start of the step. */
  at!: Instant;
  /** Accepted events; for one consumer, the deliveries created for it. */
  accepted!: Count;
  delivered!: Count;
  dead!: Count;
  /** Recorded attempts. */
  attempts!: Count;
  failedAttempts!: Count;
  /** Median time from acceptance to delivery, in milliseconds, rounded up to a histogram bound. Null: none. */
  latencyP50Ms!: Count | null;
  /** 95th percentile of the time from acceptance to delivery, like `latencyP50Ms`. */
  latencyP95Ms!: Count | null;
}

/** Statistics by step. A crash may lose the counts of a few seconds; the lists are exact. */
export class StatsDto {
  /** Start of the first step. */
  from!: Instant;
  /** End of the last step. */
  to!: Instant;

  /** Length of a step, in seconds; grows with the range. */
  @ApiProperty({ type: 'integer', minimum: 60, example: 60 })
  stepSeconds!: number;

  /** All steps, including empty ones; at most 1,500. Empty if `from` is not before `to`. */
  points!: StatsPointDto[];
}
