import type {
  Amount,
  Count,
  HealthState,
  Instant,
  Integer,
  Outcome,
  Share,
  Side,
  Trend,
} from '#libs/contracts';
import type { ConsumerHealth } from '#libs/policy';

/** The most frequent cause of the failures. */
export class FailureCauseDto {
  /** The cause with its frequency: `The last 320 attempts were answered HTTP 401`. */
  words!: string;
  outcome!: Outcome;
  httpStatus!: Integer | null;
  count!: Count;
  /** Number of consecutive failures; or, while some attempts succeed, of all attempts of the last 15 minutes. */
  of!: Count;
}

/** Dead deliveries that are not settled. */
export class OpenDeadDto {
  count!: Count;
  /** When the oldest of them became dead; null if there are none. */
  oldestAt!: Instant | null;
}

/** A certificate that expires within 30 days or has expired. */
export class HealthNoticeDto {
  words!: string;
  advice!: string;
  /** Expiry of the certificate. */
  at!: Instant;
}

/** Waiting deliveries, with the rates of accepted and finished ones in the current minute and the four before it. */
export class BacklogDto {
  /** Exact number of scheduled, sending and held deliveries. A large backlog is counted less often. */
  waiting!: Count;
  /** Due time of the longest overdue delivery; null if none is overdue. */
  oldestDueAt!: Instant | null;
  /** Accepted deliveries per minute. */
  inPerMinute!: Amount;
  /** Finished deliveries per minute. */
  outPerMinute!: Amount;
  trend!: Trend;
  /** Seconds until the backlog is empty at the current rates; null unless `trend` is `draining`. */
  drainsInSeconds!: Count | null;
}

/** Health of a consumer. */
export class ConsumerHealthDto extends BacklogDto {
  state!: HealthState;
  /** Start of the state; for failures, the first one after the last success. Null while healthy. */
  since!: Instant | null;
  /** Last success, accurate to the minute during a delivery session. Null: none is known. */
  lastSuccessAt!: Instant | null;
  /** Description of the problem, in plain words. */
  summary!: string;
  /** Recommended next step, in plain words. */
  advice!: string;
  /** Main cause of the failures; null unless the consumer is down or degraded. */
  cause!: FailureCauseDto | null;
  /** Probable place of the fault: the consumer (`theirs`), the network (`line`) or the dispatcher (`ours`). */
  side!: Side | null;
  /** Share of successful attempts in the last 15 minutes; null without attempts. */
  successShare!: Share | null;
  /** Number of consecutive failed attempts. */
  failuresInARow!: Count;
  dead!: OpenDeadDto;
  /** Certificates that expire within 30 days or have expired. */
  notices!: HealthNoticeDto[];
  /** Whether a person paused it less than 30 days ago. */
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
  const { rank: _, failedProbes: __, failures, ...shown } = health;
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
