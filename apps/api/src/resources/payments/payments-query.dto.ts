import {
  InstantText,
  OneOf,
  PageQueryDto,
  PAYMENT_KINDS,
  Text,
  UuidText,
  type PaymentKind,
} from '#libs/contracts';

/** Filters of `GET /v1/payments`. */
export class PaymentsQueryDto extends PageQueryDto {
  @OneOf(PAYMENT_KINDS, { optional: true })
  kind?: PaymentKind;

  /** ACH `transactionId` or wire `paymentId`; compared exactly. */
  @Text({ min: 1, max: 255, optional: true })
  paymentId?: string;

  /** Status of the newest status change. */
  @Text({ min: 1, max: 64, optional: true })
  status?: string;

  /** Only payments of which this consumer has a delivery. */
  @UuidText({ optional: true })
  consumerId?: string;

  /** The newest status was accepted at or after this instant. */
  @InstantText({ optional: true })
  from?: Date;

  /** The newest status was accepted before this instant. */
  @InstantText({ optional: true })
  to?: Date;
}
