import { PaginationDto, PAYMENT_KINDS, type PaymentKind } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { DeliveryDto } from '../deliveries/delivery.dto.js';
import { RecipientsDto } from '../deliveries/recipients.dto.js';
import { EventSummaryDto } from '../events/event.dto.js';

/** A payment: its newest status, and the state of its deliveries for each consumer. */
export class TransactionDto {
  @ApiProperty({ enum: PAYMENT_KINDS })
  kind!: PaymentKind;

  /** ACH `transactionId` or wire `paymentId`. */
  @ApiProperty()
  paymentId!: string;

  /** Null if no status change contains one. */
  @ApiProperty({ type: String, nullable: true })
  newestStatus!: string | null;

  /** Number of status changes accepted for it, from all producers. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  statusCount!: number;

  /** When the newest status change was accepted. */
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;

  /** The consumers that have a delivery of any of its statuses. */
  @ApiProperty({ type: String, format: 'uuid', isArray: true })
  consumerIds!: string[];

  /**
   * Summary by consumer: the worst state of all its deliveries of this payment. A producer sees its own statuses
   * only.
   */
  @ApiProperty({ type: () => RecipientsDto })
  recipients!: RecipientsDto;
}

/** One status change of a payment, with its recipients. */
export class PaymentStatusDto extends EventSummaryDto {
  /** Number among the payment's statuses, from 1, in the order of acceptance. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  number!: number;

  @ApiProperty({ type: () => DeliveryDto, isArray: true })
  deliveries!: DeliveryDto[];
}

export class TransactionDetailDto extends TransactionDto {
  /** In the order of acceptance; the newest 1,000. A producer sees its own statuses only. */
  @ApiProperty({ type: () => PaymentStatusDto, isArray: true })
  statuses!: PaymentStatusDto[];
}

export class TransactionListDto {
  @ApiProperty({ type: () => TransactionDto, isArray: true })
  transactions!: TransactionDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
