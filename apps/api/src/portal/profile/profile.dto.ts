import {
  EVENT_TYPES,
  HEALTH_STATES,
  ORDERINGS,
  TIMESTAMP_UNITS,
  type EventType,
  type HealthState,
  type Ordering,
  type TimestampUnit,
} from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { PortalUrlRequestDto } from '../url-requests/portal-url-request.dto.js';

const COUNT = { type: 'integer', minimum: 0, maximum: 10_000 } as const;

/** Number of deliveries by state. A count of 10,000 is a lower bound. */
export class PortalCountsDto {
  /** Has its turn, or its next attempt, at a known time. */
  @ApiProperty(COUNT)
  queued!: number;

  /** Being sent at this moment. */
  @ApiProperty(COUNT)
  sending!: number;

  /** Not sent until something changes. */
  @ApiProperty(COUNT)
  held!: number;

  /** Given up and not settled. */
  @ApiProperty(COUNT)
  dead!: number;

  /** Created in the last 24 hours and delivered. */
  @ApiProperty(COUNT)
  delivered!: number;

  /** Created in the last 24 hours and cancelled. */
  @ApiProperty(COUNT)
  cancelled!: number;
}

/** Health of the consumer, in words for its own people. */
export class PortalHealthDto {
  @ApiProperty({ enum: HEALTH_STATES })
  state!: HealthState;

  /** Start of the state; null while healthy. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  since!: string | null;

  /** Last success, accurate to the minute; null: none is known. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastSuccessAt!: string | null;

  @ApiProperty({ example: 'Your server cannot be reached, or refuses everything.' })
  summary!: string;

  /** Recommended next step. */
  @ApiProperty()
  advice!: string;
}

/** An own API key that is in use and ends within 14 days. */
export class PortalExpiringKeyDto {
  @ApiProperty()
  name!: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt!: string;
}

/** The caller's own consumer. */
export class PortalProfileDto {
  @ApiProperty()
  name!: string;

  /** In the canonical form in which it is requested and signed. */
  @ApiProperty({ format: 'uri' })
  url!: string;

  @ApiProperty({ enum: EVENT_TYPES, isArray: true })
  eventTypes!: EventType[];

  @ApiProperty({ enum: ORDERINGS })
  ordering!: Ordering;

  /** Unit of `x-timestamp`. */
  @ApiProperty({ enum: TIMESTAMP_UNITS })
  timestampUnit!: TimestampUnit;

  @ApiProperty({ enum: ['active', 'paused'] })
  state!: 'active' | 'paused';

  /** Since when sending to this consumer is paused; null while it is active. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  pausedAt!: string | null;

  /** When sending resumes automatically; null: when the bank resumes it, or while it is active. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  pausedUntil!: string | null;

  /** Whether the bank has paused sending to all consumers. */
  @ApiProperty()
  isSendingPaused!: boolean;

  @ApiProperty({ type: () => PortalHealthDto })
  health!: PortalHealthDto;

  @ApiProperty({ type: () => PortalCountsDto })
  counts!: PortalCountsDto;

  /** Due time of the longest overdue delivery; null if none is overdue. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  oldestDueAt!: string | null;

  /** The requested change of the URL that waits for the bank; null without one. */
  @ApiProperty({ type: () => PortalUrlRequestDto, nullable: true })
  waitingUrlRequest!: PortalUrlRequestDto | null;

  /** Own API keys that were used in the last 30 days and end within 14 days, the earliest first. No issue of the bank reports them. */
  @ApiProperty({ type: () => PortalExpiringKeyDto, isArray: true })
  expiringKeys!: PortalExpiringKeyDto[];
}
