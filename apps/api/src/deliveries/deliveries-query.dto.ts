import {
  DELIVERY_STATES,
  EVENT_TYPES,
  HOLD_REASONS,
  OneOf,
  OUTCOMES,
  PageQueryDto,
  Text,
  type DeliveryState,
  type EventType,
  type HoldReason,
  type Outcome,
} from '#libs/contracts';
import { BooleanParameter, InstantParameter, IntegerParameter, UuidParameter } from '../http/query-rules.js';

/** Filters of `GET /v1/deliveries`. */
export class DeliveriesQueryDto extends PageQueryDto {
  @OneOf(DELIVERY_STATES, { optional: true })
  state?: DeliveryState;

  /**
   * `false`: still open, which means pending, or dead and not settled. Cancelled or settled deliveries are listed
   * only if `state` or `settled` requests them.
   */
  @BooleanParameter()
  delivered?: 'true' | 'false';

  /** Dead deliveries only: settled by a person (`true`), or still open (`false`). */
  @BooleanParameter()
  settled?: 'true' | 'false';

  /** The payment's status that the notification reports, as the producer wrote it. */
  @Text({ min: 1, max: 64, optional: true })
  status?: string;

  @UuidParameter()
  consumerId?: string;

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

  @OneOf(HOLD_REASONS, { optional: true })
  holdReason?: HoldReason;

  /** Created at or after this instant. */
  @InstantParameter()
  from?: string;

  /** Created before this instant. */
  @InstantParameter()
  to?: string;
}
