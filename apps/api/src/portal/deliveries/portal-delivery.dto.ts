import {
  DELIVERY_STATES,
  EVENT_TYPES,
  OneOf,
  OUTCOMES,
  PageQueryDto,
  Text,
  Truth,
  type Count,
  type DeliveryState,
  type EndReason,
  type EventType,
  type HoldReason,
  type Instant,
  type Integer,
  type Ordinal,
  type Outcome,
  type PaginationDto,
  type Uuid,
} from '#libs/contracts';
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
  deliveryId!: Uuid;

  notificationId!: Uuid;

  eventType!: EventType;

  paymentId!: string | null;

  /** The payment's status that the notification reports. */
  status!: string | null;

  state!: DeliveryState;

  /** Why it is held; null unless `state` is `held`. */
  holdReason!: HoldReason | null;

  /** `holdReason` in words; null unless `state` is `held`. */
  holdInWords!: string | null;

  /** Since when `holdReason` applies; null unless `state` is `held`. */
  heldSince!: Instant | null;

  /** Number of attempts recorded so far, including probes. */
  attemptCount!: Count;

  /** When it is due; null unless `state` is `queued`. */
  nextAttemptAt!: Instant | null;

  lastOutcome!: Outcome | null;

  lastHttpStatus!: Integer | null;

  createdAt!: Instant;

  firstAttemptAt!: Instant | null;

  finishedAt!: Instant | null;

  /** Why it ended; null while it is pending. */
  endReason!: EndReason | null;

  /** When the bank dealt with the dead delivery in another way; null if it did not. */
  settledAt!: Instant | null;
}

/** One POST to the consumer's server, and its answer. */
export class PortalAttemptDto {
  number!: Ordinal;

  startedAt!: Instant;

  durationMs!: Count;

  outcome!: Outcome;

  httpStatus!: Integer | null;

  /** What the server did, and the recommended next step. */
  advice!: string;

  /** The URL as requested and signed. */
  url!: string;

  credentialVersion!: Integer;

  /** Secrets redacted. */
  requestHeaders!: Record<string, string>;

  /** Null without an answer. */
  responseHeaders!: Record<string, string> | null;

  /** The first 4 KiB. Null without a readable body. */
  responseBody!: string | null;

  /** Whether the server sent more than `responseBody` shows. */
  responseTruncated!: boolean;

  /** The server's clock minus the bank's, if more than a minute. */
  clockSkewMs!: Integer | null;

  /** Sent to check whether the server answers again, after many failures. */
  probe!: boolean;
}

export class PortalDeliveryDetailDto extends PortalDeliveryDto {
  /** The notification with account numbers in full: it is the consumer's own. Null once it is no longer kept. */
  envelope!: Record<string, unknown> | null;

  /** Every attempt, the earliest first. */
  attempts!: PortalAttemptDto[];
}

export class PortalDeliveryListDto {
  deliveries!: PortalDeliveryDto[];

  pagination!: PaginationDto;
}
