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
  /** The cause with its frequency: `HTTP 401 on 320 of 320`. */
  @ApiProperty()
  words!: string;

  @ApiProperty({ enum: OUTCOMES })
  outcome!: Outcome;

  @ApiProperty({ type: 'integer', nullable: true })
  httpStatus!: number | null;

  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;

  /** Number of consecutive failures; or, while some attempts succeed, of all attempts of the last 15 minutes. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  of!: number;
}

/** Dead deliveries that are not settled. */
export class OpenDeadDto {
  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;

  /** When the oldest of them became dead; null if there are none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  oldestAt!: string | null;
}

/** A certificate that expires within 30 days or has expired. */
export class HealthNoticeDto {
  @ApiProperty()
  words!: string;

  @ApiProperty()
  advice!: string;

  /** Expiry of the certificate. */
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** Waiting deliveries, with the rates of accepted and finished ones in the current minute and the four before it. */
export class BacklogDto {
  /** Exact number of scheduled, sending and held deliveries. A large backlog is counted less often. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  waiting!: number;

  /** Due time of the longest overdue delivery; null if none is overdue. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  oldestDueAt!: string | null;

  /** Accepted deliveries per minute. */
  @ApiProperty({ type: 'number', minimum: 0 })
  inPerMinute!: number;

  /** Finished deliveries per minute. */
  @ApiProperty({ type: 'number', minimum: 0 })
  outPerMinute!: number;

  @ApiProperty({ enum: TRENDS })
  trend!: Trend;

  /** Seconds until the backlog is empty at the current rates; null unless `trend` is `draining`. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  drainsInSeconds!: number | null;
}

/** Health of a consumer. */
export class ConsumerHealthDto extends BacklogDto {
  @ApiProperty({ enum: HEALTH_STATES })
  state!: HealthState;

  /** Start of the state; for failures, the first one after the last success. Null while healthy. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  since!: string | null;

  /** Last success, accurate to the minute during a delivery session. Null: none is known. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastSuccessAt!: string | null;

  /** Description of the problem, in plain words. */
  @ApiProperty()
  summary!: string;

  /** Recommended next step, in plain words. */
  @ApiProperty()
  advice!: string;

  /** Main cause of the failures; null unless the consumer is down or degraded. */
  @ApiProperty({ type: () => FailureCauseDto, nullable: true })
  cause!: FailureCauseDto | null;

  /** Probable place of the fault: the consumer (`theirs`), the network (`line`) or the dispatcher (`ours`). */
  @ApiProperty({ enum: SIDES, nullable: true })
  side!: Side | null;

  /** Share of successful attempts in the last 15 minutes; null without attempts. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true })
  successShare!: number | null;

  /** Number of consecutive failed attempts. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  failuresInARow!: number;

  @ApiProperty({ type: () => OpenDeadDto })
  dead!: OpenDeadDto;

  /** Certificates that expire within 30 days or have expired. */
  @ApiProperty({ type: () => HealthNoticeDto, isArray: true })
  notices!: HealthNoticeDto[];

  /** Whether a person paused it less than 30 days ago. */
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
