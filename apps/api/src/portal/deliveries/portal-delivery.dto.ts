import {
  DELIVERY_STATES,
  END_REASONS,
  EVENT_TYPES,
  HOLD_REASONS,
  OneOf,
  OUTCOMES,
  PageQueryDto,
  PaginationDto,
  Text,
  Truth,
  type DeliveryState,
  type EndReason,
  type EventType,
  type HoldReason,
  type Outcome,
} from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { OptionalReasonDto } from '../../http/optional-reason.dto.js';
import { InstantParameter, IntegerParameter, UuidParameter } from '../../http/query-rules.js';

/** Filters of `GET /v1/portal/deliveries`. */
export class PortalDeliveriesQueryDto extends PageQueryDto {
  @OneOf(DELIVERY_STATES, { optional: true })
  state?: DeliveryState;

  /** Only what was not delivered, whatever the reason: waiting, dead, settled or cancelled. */
  @OneOf(['true'], { optional: true, schema: { type: 'boolean', enum: [true] } })
  missed?: 'true';

  /** The payment's status that the notification reports. */
  @Text({ min: 1, max: 64, optional: true })
  status?: string;

  @OneOf(EVENT_TYPES, { optional: true })
  eventType?: EventType;

  @Text({ min: 1, max: 255, optional: true })
  paymentId?: string;

  @UuidParameter()
  notificationId?: string;

  /** Outcome of the last attempt. */
  @OneOf(OUTCOMES, { optional: true })
  outcome?: Outcome;

  /** HTTP status of the last attempt. */
  @IntegerParameter({ min: 100, max: 599 })
  httpStatus?: string;

  /** Created at or after this instant. */
  @InstantParameter()
  from?: string;

  /** Created before this instant. */
  @InstantParameter()
  to?: string;
}

/** `POST /v1/portal/deliveries/:id/resend`. */
export class ResendDto extends OptionalReasonDto {
  /** Also sends a delivery again that has been delivered. */
  @Truth({ optional: true })
  force?: boolean;
}

/** One event on its way to the caller's consumer. */
export class PortalDeliveryDto {
  @ApiProperty({ format: 'uuid' })
  deliveryId!: string;

  @ApiProperty({ format: 'uuid' })
  notificationId!: string;

  @ApiProperty({ enum: EVENT_TYPES })
  eventType!: EventType;

  @ApiProperty({ type: String, nullable: true })
  paymentId!: string | null;

  /** The payment's status that the notification reports. */
  @ApiProperty({ type: String, nullable: true })
  status!: string | null;

  @ApiProperty({ enum: DELIVERY_STATES })
  state!: DeliveryState;

  /** Why it is held; null unless `state` is `held`. */
  @ApiProperty({ enum: HOLD_REASONS, nullable: true })
  holdReason!: HoldReason | null;

  /** `holdReason` in words; null unless `state` is `held`. */
  @ApiProperty({ type: String, nullable: true })
  holdInWords!: string | null;

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

  /** Why it ended; null while it is pending. */
  @ApiProperty({ enum: END_REASONS, nullable: true })
  endReason!: EndReason | null;

  /** When the bank dealt with the dead delivery in another way; null if it did not. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  settledAt!: string | null;
}

/** One POST to the consumer's server, and its answer. */
export class PortalAttemptDto {
  @ApiProperty({ type: 'integer', minimum: 1 })
  number!: number;

  @ApiProperty({ format: 'date-time' })
  startedAt!: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  durationMs!: number;

  @ApiProperty({ enum: OUTCOMES })
  outcome!: Outcome;

  @ApiProperty({ type: 'integer', nullable: true })
  httpStatus!: number | null;

  /** What the server did, and the recommended next step. */
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

  /** Null without an answer. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  responseHeaders!: Record<string, string> | null;

  /** The first 4 KiB. Null without a readable body. */
  @ApiProperty({ type: String, nullable: true })
  responseBody!: string | null;

  /** Whether the server sent more than `responseBody` shows. */
  @ApiProperty()
  responseTruncated!: boolean;

  /** The server's clock minus the bank's, if more than a minute. */
  @ApiProperty({ type: 'integer', nullable: true })
  clockSkewMs!: number | null;

  /** Sent to check whether the server answers again, after many failures. */
  @ApiProperty()
  probe!: boolean;
}

export class PortalDeliveryDetailDto extends PortalDeliveryDto {
  /** The notification with account numbers in full: it is the consumer's own. Null once it is no longer kept. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  envelope!: Record<string, unknown> | null;

  /** Every attempt, the earliest first. */
  @ApiProperty({ type: () => PortalAttemptDto, isArray: true })
  attempts!: PortalAttemptDto[];
}

export class PortalDeliveryListDto {
  @ApiProperty({ type: () => PortalDeliveryDto, isArray: true })
  deliveries!: PortalDeliveryDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
