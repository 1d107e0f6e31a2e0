import {
  DELIVERY_STATES,
  EVENT_TYPES,
  OneOf,
  OUTCOMES,
  PageQueryDto,
  Text,
  Truth,
  type DeliveryState,
  type EndReason,
  type EventType,
  type Instant,
  type Integer,
  type Outcome,
  type PaginationDto,
} from '#libs/contracts';
import { PickType } from '@nestjs/swagger';
import { AttemptDto, DeliveryDto } from '../../deliveries/delivery.dto.js';
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
export class PortalDeliveryDto extends PickType(DeliveryDto, [
  'deliveryId',
  'notificationId',
  'eventType',
  'paymentId',
  'status',
  'holdReason',
  'heldSince',
  'attemptCount',
  'nextAttemptAt',
  'lastOutcome',
  'lastHttpStatus',
  'createdAt',
  'firstAttemptAt',
  'finishedAt',
]) {
  state!: DeliveryState;

  /** `holdReason` in words; null unless `state` is `held`. */
  holdInWords!: string | null;

  /** Why it ended; null while it is pending. */
  endReason!: EndReason | null;

  /** When the bank dealt with the dead delivery in another way; null if it did not. */
  settledAt!: Instant | null;
}

/** One POST to the consumer's server, and its answer. */
export class PortalAttemptDto extends PickType(AttemptDto, [
  'number',
  'startedAt',
  'durationMs',
  'outcome',
  'httpStatus',
  'url',
  'credentialVersion',
  'requestHeaders',
]) {
  /** What the server did, and the recommended next step. */
  advice!: string;

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
