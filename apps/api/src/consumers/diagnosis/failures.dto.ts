import { OUTCOMES, type Outcome } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { InstantParameter } from '../../http/query-rules.js';

/** Query parameters of `GET /v1/consumers/:id/failures`. */
export class FailuresQueryDto {
  /** Start of the period, inclusive. Absent: 24 hours before `to`. */
  @InstantParameter()
  from?: string;

  /** End of the period, exclusive. Absent: now. */
  @InstantParameter()
  to?: string;
}

/** Failed attempts with one cause. */
export class FailureGroupDto {
  @ApiProperty({ enum: OUTCOMES })
  outcome!: Outcome;

  @ApiProperty({ type: 'integer', nullable: true })
  httpStatus!: number | null;

  /** Number of failed attempts. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  count!: number;

  /** Number of deliveries that these attempts belong to. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  deliveries!: number;

  @ApiProperty({ format: 'date-time' })
  firstAt!: string;

  @ApiProperty({ format: 'date-time' })
  lastAt!: string;

  /** Recommended next step, in plain words. */
  @ApiProperty()
  advice!: string;

  /** Outcome of the last attempt, in words. */
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

  /** Number of failed attempts evaluated: the newest ones of the period. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  attemptsSeen!: number;

  /** True: `attemptsSeen` is the maximum of 5,000, and older ones may exist. Request a shorter period to see them. */
  @ApiProperty()
  attemptsAreCapped!: boolean;

  /** The most frequent cause first. */
  @ApiProperty({ type: () => FailureGroupDto, isArray: true })
  failures!: FailureGroupDto[];
}
