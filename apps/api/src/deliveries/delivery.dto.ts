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

/** Settlement of a dead delivery that a person has dealt with in another way, for example with a file. */
export class SettlementDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;

  /** Name of the API key or person that settled it. */
  @ApiProperty()
  by!: string;

  @ApiProperty()
  reason!: string;
}

/** One event on its way to one consumer. */
export class DeliveryDto {
  @ApiProperty({ format: 'uuid' })
  deliveryId!: string;

  @ApiProperty({ format: 'uuid' })
  notificationId!: string;

  @ApiProperty({ format: 'uuid' })
  consumerId!: string;

  /** The consumer's current name; a removed consumer keeps its last name. */
  @ApiProperty()
  consumerName!: string;

  @ApiProperty({ enum: EVENT_TYPES })
  eventType!: EventType;

  @ApiProperty({ type: String, nullable: true })
  paymentId!: string | null;

  /** The payment's status that the notification reports. */
  @ApiProperty({ type: String, nullable: true })
  status!: string | null;

  /**
   * The states of a pending delivery (`queued`, `sending`, `held`) are derived on each request; `sending` is based on
   * the workers' heartbeats, sent every 2 s.
   */
  @ApiProperty({ enum: DELIVERY_STATES })
  state!: DeliveryState;

  /** Why it is held; null unless `state` is `held`. */
  @ApiProperty({ enum: HOLD_REASONS, nullable: true })
  holdReason!: HoldReason | null;

  /** Since when `holdReason` applies; null unless `state` is `held`. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  heldSince!: string | null;

  /** Number of attempts recorded so far, including probes. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  attemptCount!: number;

  /** When it is due; null unless `state` is `queued`. */
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

  /** How a person settled the dead delivery; null if not settled. Retry, replay and cancellation reset it. */
  @ApiProperty({ type: () => SettlementDto, nullable: true })
  settlement!: SettlementDto | null;
}

/** One POST and its response. */
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

  /** Recommended next step, in plain words. */
  @ApiProperty()
  advice!: string;

  /** The URL as requested and signed. */
  @ApiProperty()
  url!: string;

  @ApiProperty({ type: 'integer' })
  credentialVersion!: number;

  /** Secrets redacted. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  requestHeaders!: Record<string, string>;

  /** Null without a response, or if withheld. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  responseHeaders!: Record<string, string> | null;

  /** The first 4 KiB. Null without a readable body, or if withheld. */
  @ApiProperty({ type: String, nullable: true })
  responseBody!: string | null;

  /** Whether the consumer sent more than `responseBody` shows. */
  @ApiProperty()
  responseTruncated!: boolean;

  /** Consumer's clock minus the dispatcher's, if more than a minute: the likeliest cause of refused signatures. */
  @ApiProperty({ type: 'integer', nullable: true })
  clockSkewMs!: number | null;
}

/** One POST for a delivery. */
export class AttemptDto extends ExchangeDto {
  @ApiProperty({ type: 'integer', minimum: 1 })
  number!: number;

  /** True for viewers: headers and body of the response are withheld, since they may repeat account numbers. */
  @ApiProperty()
  responseWithheld!: boolean;

  /** Sent to check whether a consumer with an open circuit answers again. A probe uses no attempt of the schedule. */
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
