import {
  DeliveryFilter,
  Joining,
  PageQueryDto,
  Picking,
  Truth,
  type DeliveryState,
  type EndReason,
  type Instant,
  type Integer,
  type PaginationDto,
} from '#libs/contracts';
import { PickType } from '@nestjs/swagger';
import { AttemptDto, DeliveryDto } from './delivery.dto.js';
import { OptionalReasonDto } from '../../http/reason.dto.js';

/** Filters of `GET /v1/portal/deliveries`. */
export class PortalDeliveriesQueryDto extends Joining(
  PageQueryDto,
  // Named one by one, so that a new filter of operators does not appear in the portal.
  Picking(DeliveryFilter, [
    'state',
    'missed',
    'status',
    'eventType',
    'paymentId',
    'notificationId',
    'outcome',
    'httpStatus',
    'from',
    'to',
  ]),
) {}

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
