import {
  BULK_ACTIONS,
  DELIVERY_STATES,
  EVENT_TYPES,
  HOLD_REASONS,
  Nested,
  OneOf,
  OUTCOMES,
  Text,
  Truth,
  Whole,
  type BulkActionKind,
  type DeliveryState,
  type EventType,
  type HoldReason,
  type Outcome,
} from '#libs/contracts';
import { InstantParameter, UuidParameter } from '../http/query-rules.js';
import { ReasonDto } from '../http/reason.dto.js';

/** Largest `integer` of PostgreSQL, the type of stored counts. */
export const MOST_EXPECTED = 2_147_483_647;

/** Filter of deliveries with at least one field. The fields have the same meaning as in `GET /v1/deliveries`. */
export class BulkFilterDto {
  @OneOf(DELIVERY_STATES, { optional: true })
  state?: DeliveryState;

  /**
   * `false`: still open, which means pending, or dead and not settled. Cancelled or settled deliveries are covered
   * only if `state` or `settled` requests them.
   */
  @Truth({ optional: true })
  delivered?: boolean;

  /** Only what was not delivered, whatever the reason: waiting, dead, settled or cancelled. */
  @Truth({ optional: true, schema: { enum: [true] } })
  missed?: true;

  /** Dead deliveries only: settled by a person (`true`), or still open (`false`). */
  @Truth({ optional: true })
  settled?: boolean;

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
  @Whole({ min: 100, max: 599 }, { optional: true })
  httpStatus?: number;

  @OneOf(HOLD_REASONS, { optional: true })
  holdReason?: HoldReason;

  /** Created at or after this instant. */
  @InstantParameter()
  from?: string;

  /** Created before this instant. */
  @InstantParameter()
  to?: string;
}

/** Body of `POST /v1/bulk-actions`. */
export class StartBulkActionDto extends ReasonDto {
  /**
   * `retry`: pending and dead deliveries become due now, cancelled ones only with `state: cancelled`; existing holds
   * still apply. `replay`: all deliveries, including delivered and cancelled ones, are sent again with a full retry
   * schedule and the same notificationId. `cancel`: pending and dead deliveries are cancelled and not sent.
   * `acknowledge`: dead deliveries are settled with the reason. A person has dealt with them in another way, and they
   * no longer count as open. Settled ones are covered only with `settled: true`, or by a `replay` without `state`.
   */
  @OneOf(BULK_ACTIONS)
  action!: BulkActionKind;

  @Nested(() => BulkFilterDto)
  filter!: BulkFilterDto;

  /** Only counts the deliveries; `expectedCount` is then ignored. */
  @Truth({ optional: true })
  dryRun?: boolean;

  /**
   * Number of deliveries that the caller expects, as counted by `dryRun`. If more match, or they cannot be counted in
   * time, the response is 409 with the new count in `matched`, and nothing is started. If fewer match, it is started.
   */
  @Whole({ min: 0, max: MOST_EXPECTED }, { optional: true })
  expectedCount?: number;
}
