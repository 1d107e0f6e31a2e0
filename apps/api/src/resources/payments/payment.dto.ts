import type { Instant, Ordinal, PaginationDto, PaymentKind, Uuid } from '#libs/contracts';
import type { DeliveryDto } from '../deliveries/delivery.dto.js';
import type { RecipientsDto } from '../deliveries/recipients.dto.js';
import { EventSummaryDto } from '../events/event.dto.js';

/** A payment: its newest status, and the state of its deliveries for each consumer. */
export class PaymentDto {
  kind!: PaymentKind;
  /** ACH `transactionId` or wire `paymentId`. */
  paymentId!: string;
  /** Null if no status change contains one. */
  newestStatus!: string | null;
  /** Number of status changes accepted for it, from all producers. */
  statusCount!: Ordinal;
  /** When the newest status change was accepted. */
  updatedAt!: Instant;
  /** The consumers that have a delivery of any of its statuses. */
  consumerIds!: Uuid[];
  /**
   * Summary by consumer: the worst state of all its deliveries of this payment. A producer sees its own statuses
   * only.
   */
  recipients!: RecipientsDto;
}

/** One status change of a payment, with its recipients. */
export class PaymentStatusDto extends EventSummaryDto {
  /** Number among the payment's statuses, from 1, in the order of acceptance. */
  number!: Ordinal;
  deliveries!: DeliveryDto[];
}

export class PaymentDetailDto extends PaymentDto {
  /** In the order of acceptance; the newest 1,000. A producer sees its own statuses only. */
  statuses!: PaymentStatusDto[];
}

export class PaymentListDto {
  payments!: PaymentDto[];
  pagination!: PaginationDto;
}
