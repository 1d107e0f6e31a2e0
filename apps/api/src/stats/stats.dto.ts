import { ApiProperty } from '@nestjs/swagger';

/** One step of a chart. */
export class StatsPointDto {
  /** When the step begins. */
  @ApiProperty({ format: 'date-time' })
  at!: string;

  /** Events accepted; of one consumer: deliveries made for it. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  accepted!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  delivered!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  dead!: number;

  /** POSTs that were recorded. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  attempts!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  failedAttempts!: number;

  /** From acceptance to delivery, of half of what was delivered, in milliseconds; rounded up to a histogram’s bound. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  latencyP50Ms!: number | null;

  /** The same of 95 of 100. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  latencyP95Ms!: number | null;
}

/** Counts a step, from statistics that a crash may cut short by seconds; the truth is in the lists. */
export class StatsDto {
  /** The first step’s beginning. */
  @ApiProperty({ format: 'date-time' })
  from!: string;

  /** The last step’s end. */
  @ApiProperty({ format: 'date-time' })
  to!: string;

  /** Grows with the range. */
  @ApiProperty({ type: 'integer', minimum: 60, example: 60 })
  stepSeconds!: number;

  /** Every step, also those in which nothing happened; at most 1,500. None when `from` is not before `to`. */
  @ApiProperty({ type: () => StatsPointDto, isArray: true })
  points!: StatsPointDto[];
}
