import { Truth } from '#libs/contracts';
import { OptionalReasonDto } from '../../http/reason.dto.js';

/** `POST /v1/deliveries/:id/retry`. */
export class RetryDeliveryDto extends OptionalReasonDto {
  /** Also retries a delivery that the consumer has already acknowledged. */
  @Truth({ optional: true })
  force?: boolean;
}
