import type { HealthState, Instant, TimestampUnit } from '#libs/contracts';
import { PickType } from '@nestjs/swagger';
import { ConsumerDto } from '../consumer.dto.js';
import type { PortalUrlRequestDto } from '../url-requests/portal-url-request.dto.js';

/**
 * Counted up to 10,000.
 * @asType integer
 * @minimum 0
 * @maximum 10000
 */
type CappedCount = number;

/** Number of deliveries by state. A count of 10,000 is a lower bound. */
export class PortalCountsDto {
  /** Has its turn, or its next attempt, at a known time. */
  queued!: CappedCount;
  /** Being sent at this moment. */
  sending!: CappedCount;
  /** Not sent until something changes. */
  held!: CappedCount;
  /** Given up and not settled. */
  dead!: CappedCount;
  /** Created in the last 24 hours and delivered. */
  delivered!: CappedCount;
  /** Created in the last 24 hours and cancelled. */
  cancelled!: CappedCount;
}

/** Health of the consumer, in words for its own people. */
export class PortalHealthDto {
  state!: HealthState;
  /** Start of the state; null while healthy. */
  since!: Instant | null;
  /** Last success, accurate to the minute; null: none is known. */
  lastSuccessAt!: Instant | null;
  /** While the server is down: when the next attempt is made, and the rest after its success. Otherwise null. */
  nextTryAt!: Instant | null;
  /** @example "Your server answered 503: it is unavailable." */
  summary!: string;
  /** Recommended next step. */
  advice!: string;
}

/** An own API key that is in use and ends within 14 days. */
export class PortalExpiringKeyDto {
  name!: string;
  expiresAt!: Instant;
}

/** The caller's own consumer. */
export class PortalProfileDto extends PickType(ConsumerDto, [
  'id',
  'name',
  'url',
  'eventTypes',
  'ordering',
  'state',
]) {
  /** Unit of `x-timestamp`. */
  timestampUnit!: TimestampUnit;
  /** Since when sending to this consumer is paused; null while it is active. */
  pausedAt!: Instant | null;
  /** When sending resumes automatically; null: when the bank resumes it, or while it is active. */
  pausedUntil!: Instant | null;
  /** Whether the bank has paused sending to all consumers. */
  isSendingPaused!: boolean;
  /** Whom to ask at the bank: a mail address, a telephone number, or both (`SUPPORT_CONTACT`); null: not configured. */
  supportContact!: string | null;
  health!: PortalHealthDto;
  counts!: PortalCountsDto;
  /** Due time of the longest overdue delivery; null if none is overdue. */
  oldestDueAt!: Instant | null;
  /** The requested change of the URL that waits for the bank; null without one. */
  waitingUrlRequest!: PortalUrlRequestDto | null;
  /** Own API keys that were used in the last 30 days and end within 14 days, the earliest first. No issue of the bank reports them. */
  expiringKeys!: PortalExpiringKeyDto[];
}
