import {
  HEALTH_STATES,
  OUTCOMES,
  SIDES,
  TRENDS,
  type HealthState,
  type Outcome,
  type Side,
  type Trend,
} from '#libs/contracts';
import type { ConsumerHealth } from '#libs/policy';
import { ApiProperty } from '@nestjs/swagger';

/** The most frequent cause of the failures. */
export class FailureCauseDto {
  /** With its share: `HTTP 401 on 320 of 320`. */
  @ApiProperty()
  words!: string;

  @ApiProperty({ enum: OUTCOMES })
  outcome!: Outcome;

  @ApiProperty({ type: 'integer', nullable: true })
  httpStatus!: number | null;

  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;

  /** Consecutive failures; while some attempts succeed, all attempts of the last 15 minutes. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  of!: number;
}

/** Dead deliveries that are not settled. */
export class OpenDeadDto {
  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;

  /** When the first of them was given up. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  oldestAt!: string | null;
}

/** A certificate that expires within 30 days, or has expired. */
export class HealthNoticeDto {
  @ApiProperty()
  words!: string;

  @ApiProperty()
  advice!: string;

  /** When it expires. */
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** What waits, and how fast it comes and goes: the minute that runs and the four before it. */
export class BacklogDto {
  /** Scheduled, sending and held deliveries, counted exactly. A large backlog is counted less often. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  waiting!: number;

  /** When the longest overdue delivery was due. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  oldestDueAt!: string | null;

  /** Accepted deliveries. */
  @ApiProperty({ type: 'number', minimum: 0 })
  inPerMinute!: number;

  /** Finished deliveries. */
  @ApiProperty({ type: 'number', minimum: 0 })
  outPerMinute!: number;

  @ApiProperty({ enum: TRENDS })
  trend!: Trend;

  /** Null unless the trend is `draining`. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  drainsInSeconds!: number | null;
}

/** How a consumer is. */
export class ConsumerHealthDto extends BacklogDto {
  @ApiProperty({ enum: HEALTH_STATES })
  state!: HealthState;

  /** Of failures the first after the last success; null while it is healthy. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  since!: string | null;

  /** To the minute while it is being served. Null: none is known. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastSuccessAt!: string | null;

  /** What is wrong. */
  @ApiProperty()
  summary!: string;

  /** What to do about it. */
  @ApiProperty()
  advice!: string;

  /** Of a consumer that is down or degraded. */
  @ApiProperty({ type: () => FailureCauseDto, nullable: true })
  cause!: FailureCauseDto | null;

  /** Whose the fault probably is: the consumer’s, the line’s between us, or ours. */
  @ApiProperty({ enum: SIDES, nullable: true })
  side!: Side | null;

  /** Of the attempts of the last 15 minutes; null when there were none. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true })
  successShare!: number | null;

  /** Consecutive failed attempts. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  failuresInARow!: number;

  @ApiProperty({ type: () => OpenDeadDto })
  dead!: OpenDeadDto;

  /** Certificates that expire soon. */
  @ApiProperty({ type: () => HealthNoticeDto, isArray: true })
  notices!: HealthNoticeDto[];

  /** Paused by a person, less than 30 days ago. */
  @ApiProperty()
  planned!: boolean;
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export function consumerHealthView({
  since,
  lastSuccessAt,
  oldestDueAt,
  dead,
  notices,
  ...health
}: ConsumerHealth): ConsumerHealthDto {
  const { rank: _, failures, ...shown } = health;
  return {
    ...shown,
    failuresInARow: failures,
    since: iso(since),
    lastSuccessAt: iso(lastSuccessAt),
    oldestDueAt: iso(oldestDueAt),
    dead: { count: dead.count, oldestAt: iso(dead.oldestAt) },
    notices: notices.map(({ words, advice, at }) => ({ words, advice, at: at.toISOString() })),
  };
}
