import { OneOf, PageQueryDto, PAYMENT_KINDS, Text, type PaymentKind } from '#libs/contracts';
import { InstantParameter, UuidParameter } from '../http/query-rules.js';

/** Filters of `GET /v1/transactions`. */
export class TransactionsQueryDto extends PageQueryDto {
  @OneOf(PAYMENT_KINDS, { optional: true })
  kind?: PaymentKind;

  /** ACH `transactionId` or wire `paymentId`, in full. */
  @Text({ min: 1, max: 255, optional: true })
  paymentId?: string;

  /** The newest status. */
  @Text({ min: 1, max: 64, optional: true })
  status?: string;

  /** Payments of which this consumer has a delivery. */
  @UuidParameter()
  consumerId?: string;

  /** Its newest status was accepted at or after. */
  @InstantParameter()
  from?: string;

  /** Its newest status was accepted before. */
  @InstantParameter()
  to?: string;
}
