import {
  DELIVERY_STATES,
  EVENT_TYPES,
  HOLD_REASONS,
  OUTCOMES,
  type DeliveryState,
  type EventType,
  type HoldReason,
  type Outcome,
} from '../closed-lists.js';
import { Text } from '../rules/text.js';
import { InstantText, OneOf, Truth, UuidText, Whole } from '../rules/values.js';

/** Selects deliveries: in queries, in the body of a bulk action, and in SQL. Every field is optional. */
export class DeliveryFilter {
  @OneOf(DELIVERY_STATES, { optional: true })
  state?: DeliveryState;

  /**
   * `false`: still open, which means pending, or dead and not settled. Cancelled or settled deliveries are included
   * only if `state` or `settled` requests them.
   */
  @Truth({ optional: true })
  delivered?: boolean;

  /** Only what was not delivered, whatever the reason: waiting, dead, settled or cancelled. */
  @Truth({ only: [true], optional: true })
  missed?: true;

  /** Without what is cancelled or settled: delivered or still open deliveries. */
  @Truth({ only: [true], optional: true })
  openOrDelivered?: true;

  /** Only what waits: scheduled, being sent or held. */
  @Truth({ only: [true], optional: true })
  waiting?: true;

  /** Dead deliveries only: settled by a person (`true`), or still open (`false`). */
  @Truth({ optional: true })
  settled?: boolean;

  /** The payment's status that the notification reports, as the producer wrote it. */
  @Text({ min: 1, max: 64, optional: true })
  status?: string;

  @UuidText({ optional: true })
  consumerId?: string;

  @OneOf(EVENT_TYPES, { optional: true })
  eventType?: EventType;

  @Text({ min: 1, max: 255, optional: true })
  paymentId?: string;

  @UuidText({ optional: true })
  notificationId?: string;

  /** Outcome of the last attempt. */
  @OneOf(OUTCOMES, { optional: true })
  outcome?: Outcome;

  /** HTTP status of the last attempt. */
  @Whole({ min: 100, max: 599 }, { optional: true })
  httpStatus?: number;

  @OneOf(HOLD_REASONS, { optional: true })
  holdReason?: HoldReason;

  /** Created at or after this instant. */
  @InstantText({ optional: true })
  from?: Date;

  /** Created before this instant. */
  @InstantText({ optional: true })
  to?: Date;
}
