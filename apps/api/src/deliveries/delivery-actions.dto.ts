import { Truth } from '#libs/contracts';
import { OptionalReasonDto } from '../http/optional-reason.dto.js';

/** `POST /v1/deliveries/:id/retry`. */
export class RetryDeliveryDto extends OptionalReasonDto {
  /** Sends again what the consumer has acknowledged already. */
  @Truth({ optional: true })
  force?: boolean;
}
