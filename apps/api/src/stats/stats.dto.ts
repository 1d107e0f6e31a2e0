import { ApiProperty } from '@nestjs/swagger';

/** One step of a chart. */
export class StatsPointDto {
  /** Start of the step. */
  @ApiProperty({ format: 'date-time' })
  at!: string;

  /** Accepted events; for one consumer, the deliveries created for it. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  accepted!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  delivered!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  dead!: number;

  /** Recorded attempts. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  attempts!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  failedAttempts!: number;

  /** Median time from acceptance to delivery, in milliseconds, rounded up to a histogram bound. Null: none. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  latencyP50Ms!: number | null;

  /** 95th percentile of the time from acceptance to delivery, like `latencyP50Ms`. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  latencyP95Ms!: number | null;
}

/** Statistics by step. A crash may lose the counts of a few seconds; the lists are exact. */
export class StatsDto {
  /** Start of the first step. */
  @ApiProperty({ format: 'date-time' })
  from!: string;

  /** End of the last step. */
  @ApiProperty({ format: 'date-time' })
  to!: string;

  /** Length of a step, in seconds; grows with the range. */
  @ApiProperty({ type: 'integer', minimum: 60, example: 60 })
  stepSeconds!: number;

  /** All steps, including empty ones; at most 1,500. Empty if `from` is not before `to`. */
  @ApiProperty({ type: () => StatsPointDto, isArray: true })
  points!: StatsPointDto[];
}
