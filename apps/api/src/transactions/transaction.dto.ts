import { PaginationDto, PAYMENT_KINDS, type PaymentKind } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { DeliveryDto } from '../deliveries/delivery.dto.js';
import { RecipientsDto } from '../deliveries/recipients.dto.js';
import { EventSummaryDto } from '../events/event.dto.js';

/** A payment as its statuses show it: the newest status, and what each consumer has received. */
export class TransactionDto {
  @ApiProperty({ enum: PAYMENT_KINDS })
  kind!: PaymentKind;

  /** ACH `transactionId` or wire `paymentId`. */
  @ApiProperty()
  paymentId!: string;

  /** Null when no status change carried one. */
  @ApiProperty({ type: String, nullable: true })
  newestStatus!: string | null;

  /** How many status changes were accepted for it, by whichever producer. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  statusCount!: number;

  /** When the newest was accepted. */
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;

  /** The consumers that have a delivery of any of its statuses. */
  @ApiProperty({ type: String, format: 'uuid', isArray: true })
  consumerIds!: string[];

  /**
   * The state for each consumer, in short: of all its deliveries of this payment the worst state counts. For a producer,
   * of its own statuses.
   */
  @ApiProperty({ type: () => RecipientsDto })
  recipients!: RecipientsDto;
}

/** One status change of a payment, and where it went. */
export class PaymentStatusDto extends EventSummaryDto {
  /** Its place among the payment's statuses, from 1, in the order of acceptance. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  number!: number;

  @ApiProperty({ type: () => DeliveryDto, isArray: true })
  deliveries!: DeliveryDto[];
}

export class TransactionDetailDto extends TransactionDto {
  /** In order; the newest 1,000. A producer sees its own. */
  @ApiProperty({ type: () => PaymentStatusDto, isArray: true })
  statuses!: PaymentStatusDto[];
}

export class TransactionListDto {
  @ApiProperty({ type: () => TransactionDto, isArray: true })
  transactions!: TransactionDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
