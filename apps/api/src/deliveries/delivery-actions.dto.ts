import { Text, Truth } from '#libs/contracts';

/** `POST /v1/deliveries/:id/cancel`. */
export class CancelDeliveryDto {
  /** Kept in the audit log. */
  @Text({ min: 1, max: 500, optional: true, schema: { example: 'the customer settled it by telephone' } })
  reason?: string;
}

/** `POST /v1/deliveries/:id/retry`. */
export class RetryDeliveryDto extends CancelDeliveryDto {
  /** Sends again what the consumer has acknowledged already. */
  @Truth({ optional: true })
  force?: boolean;
}
