import {
  DELIVERY_STATES,
  END_REASONS,
  EVENT_TYPES,
  HOLD_REASONS,
  OUTCOMES,
  PaginationDto,
  type DeliveryState,
  type EndReason,
  type EventType,
  type HoldReason,
  type Outcome,
} from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';

/** That a dead delivery was dealt with otherwise, as with a file. */
export class SettlementDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;

  /** The name of the API key that settled it. */
  @ApiProperty()
  by!: string;

  @ApiProperty()
  reason!: string;
}

/** An event's way to one consumer. */
export class DeliveryDto {
  @ApiProperty({ format: 'uuid' })
  deliveryId!: string;

  @ApiProperty({ format: 'uuid' })
  notificationId!: string;

  @ApiProperty({ format: 'uuid' })
  consumerId!: string;

  /** As it is called now; a removed consumer keeps its name. */
  @ApiProperty()
  consumerName!: string;

  @ApiProperty({ enum: EVENT_TYPES })
  eventType!: EventType;

  @ApiProperty({ type: String, nullable: true })
  paymentId!: string | null;

  /** The payment's status that the notification brings. */
  @ApiProperty({ type: String, nullable: true })
  status!: string | null;

  /**
   * Of a pending delivery (`queued`, `sending`, `held`) derived when it is asked for; `sending` is as fresh as the workers'
   * reports, which come every 2 s.
   */
  @ApiProperty({ enum: DELIVERY_STATES })
  state!: DeliveryState;

  /** Why it waits, when `state` is `held`. */
  @ApiProperty({ enum: HOLD_REASONS, nullable: true })
  holdReason!: HoldReason | null;

  /** Since when `holdReason` has held it; while `state` is `held`. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  heldSince!: string | null;

  /** Attempts recorded so far, probes included. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  attemptCount!: number;

  /** When it is due, while `state` is `queued`. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextAttemptAt!: string | null;

  @ApiProperty({ enum: OUTCOMES, nullable: true })
  lastOutcome!: Outcome | null;

  @ApiProperty({ type: 'integer', nullable: true })
  lastHttpStatus!: number | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  firstAttemptAt!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finishedAt!: string | null;

  /**
   * Why it ended; null while it is pending. `pending_too_long`: a delivery ends `dead` 14 days after acceptance at the latest
   * (paused time and internal errors do not count).
   */
  @ApiProperty({ enum: END_REASONS, nullable: true })
  endReason!: EndReason | null;

  /** How a person dealt with a dead delivery; null until then, and again when it is retried, replayed or cancelled. */
  @ApiProperty({ type: () => SettlementDto, nullable: true })
  settlement!: SettlementDto | null;
}

/** One POST and its answer. */
export class ExchangeDto {
  @ApiProperty({ format: 'date-time' })
  startedAt!: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  durationMs!: number;

  @ApiProperty({ enum: OUTCOMES })
  outcome!: Outcome;

  @ApiProperty({ type: 'integer', nullable: true })
  httpStatus!: number | null;

  /** The outcome in words. */
  @ApiProperty()
  detail!: string;

  /** What to do next about it. */
  @ApiProperty()
  advice!: string;

  /** As it was requested and signed. */
  @ApiProperty()
  url!: string;

  @ApiProperty({ type: 'integer' })
  credentialVersion!: number;

  /** Secrets redacted. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  requestHeaders!: Record<string, string>;

  /** Null also when it is withheld. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  responseHeaders!: Record<string, string> | null;

  /** The first 4 KiB. Null also when it is withheld. */
  @ApiProperty({ type: String, nullable: true })
  responseBody!: string | null;

  /** The consumer sent more than is kept. */
  @ApiProperty()
  responseTruncated!: boolean;

  /** The consumer's clock minus ours, when they differ by more than a minute: the likeliest cause of refused signatures. */
  @ApiProperty({ type: 'integer', nullable: true })
  clockSkewMs!: number | null;
}

/** One POST for a delivery. */
export class AttemptDto extends ExchangeDto {
  @ApiProperty({ type: 'integer', minimum: 1 })
  number!: number;

  /** Headers and body of the response are not shown to viewers: a consumer may repeat account numbers in them. */
  @ApiProperty()
  responseWithheld!: boolean;

  /** Sent to find out whether a consumer that was down is back: it spent nothing of the schedule. */
  @ApiProperty()
  probe!: boolean;
}

export class DeliveryDetailDto extends DeliveryDto {
  /** Every attempt, the earliest first. */
  @ApiProperty({ type: () => AttemptDto, isArray: true })
  attempts!: AttemptDto[];
}

export class DeliveryListDto {
  @ApiProperty({ type: () => DeliveryDto, isArray: true })
  deliveries!: DeliveryDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
