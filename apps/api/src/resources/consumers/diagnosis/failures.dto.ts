import {
  InstantText,
  type Count,
  type Instant,
  type Integer,
  type Ordinal,
  type Outcome,
  type Uuid,
} from '#libs/contracts';

/** Query parameters of `GET /v1/consumers/:id/failures`. */
export class FailuresQueryDto {
  /** Start of the period, inclusive. Absent: 24 hours before `to`. */
  @InstantText({ optional: true })
  from?: Date;

  /** End of the period, exclusive. Absent: now. */
  @InstantText({ optional: true })
  to?: Date;
}

/** Failed attempts with one cause. */
export class FailureGroupDto {
  outcome!: Outcome;
  httpStatus!: Integer | null;
  /** Number of failed attempts. */
  count!: Ordinal;
  /** Number of deliveries that these attempts belong to. */
  deliveries!: Ordinal;
  firstAt!: Instant;
  lastAt!: Instant;
  /** Recommended next step, in plain words: for operators, or for the consumer's own people. */
  advice!: string;
  /** Outcome of the last attempt, in words; null for the consumer's own people. */
  lastDetail!: string | null;
  lastDeliveryId!: Uuid;
}

export class FailureListDto {
  from!: Instant;
  to!: Instant;
  /** Number of failed attempts evaluated: the newest ones of the period. */
  attemptsSeen!: Count;
  /** True: `attemptsSeen` is the maximum of 5,000, and older ones may exist. Request a shorter period to see them. */
  attemptsAreCapped!: boolean;
  /** The most frequent cause first. */
  failures!: FailureGroupDto[];
}
