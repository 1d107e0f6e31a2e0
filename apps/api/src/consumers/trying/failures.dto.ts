import { OUTCOMES, type Outcome } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { InstantParameter } from '../../http/query-rules.js';

/** Of `GET /v1/consumers/:id/failures`. */
export class FailuresQueryDto {
  /** Attempted at or after. Absent: 24 hours before `to`. */
  @InstantParameter()
  from?: string;

  /** Attempted before. Absent: now. */
  @InstantParameter()
  to?: string;
}

/** Failed attempts with one cause. */
export class FailureGroupDto {
  @ApiProperty({ enum: OUTCOMES })
  outcome!: Outcome;

  @ApiProperty({ type: 'integer', nullable: true })
  httpStatus!: number | null;

  /** Failed attempts. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  count!: number;

  /** Of so many deliveries. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  deliveries!: number;

  @ApiProperty({ format: 'date-time' })
  firstAt!: string;

  @ApiProperty({ format: 'date-time' })
  lastAt!: string;

  /** What to do next, in plain words. */
  @ApiProperty()
  advice!: string;

  /** The last one's outcome in words. */
  @ApiProperty()
  lastDetail!: string;

  @ApiProperty({ format: 'uuid' })
  lastDeliveryId!: string;
}

export class FailureListDto {
  @ApiProperty({ format: 'date-time' })
  from!: string;

  @ApiProperty({ format: 'date-time' })
  to!: string;

  /** How many failed attempts were looked at, the newest of the time asked for. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  attemptsSeen!: number;

  /** That is as many as are looked at, and there may be older ones: ask for a shorter time. */
  @ApiProperty()
  attemptsAreCapped!: boolean;

  /** The most frequent cause first. */
  @ApiProperty({ type: () => FailureGroupDto, isArray: true })
  failures!: FailureGroupDto[];
}
