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

/** The largest `integer` of PostgreSQL, in which counts are kept. */
const MOST_EXPECTED = 2_147_483_647;

/** Which deliveries, with the meaning of `GET /v1/deliveries`; at least one field. */
export class BulkFilterDto {
  @OneOf(DELIVERY_STATES, { optional: true })
  state?: DeliveryState;

  /**
   * `false`: not acknowledged and still open, so pending, or dead and not settled. What was cancelled or settled is covered
   * only if `state` or `settled` asks for it.
   */
  @Truth({ optional: true })
  delivered?: boolean;

  /** Dead deliveries only: settled by a person (`true`), or still open (`false`). */
  @Truth({ optional: true })
  settled?: boolean;

  /** The payment's status that the notification brings, as the producer wrote it. */
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

  /** Of the last attempt. */
  @OneOf(OUTCOMES, { optional: true })
  outcome?: Outcome;

  /** Of the last attempt. */
  @Whole({ min: 100, max: 599 }, { optional: true })
  httpStatus?: number;

  @OneOf(HOLD_REASONS, { optional: true })
  holdReason?: HoldReason;

  /** Made at or after. */
  @InstantParameter()
  from?: string;

  /** Made before. */
  @InstantParameter()
  to?: string;
}

/** `POST /v1/bulk-actions`. */
export class StartBulkActionDto extends ReasonDto {
  /**
   * `retry`: what is pending or dead becomes due now, and what holds its consumer or its payment still holds it;
   * cancelled ones only with `state: cancelled`. `replay`: everything, delivered and cancelled ones too, goes
   * again with the whole schedule and the same notificationId.
   * `cancel`: what is pending or dead is finished without sending. `acknowledge`: what is dead is settled, with the
   * reason: a person has dealt with it otherwise, and it no longer counts as open. Settled deliveries are left alone, except
   * with `settled: true`, and by a `replay` of any state.
   */
  @OneOf(BULK_ACTIONS)
  action!: BulkActionKind;

  @Nested(() => BulkFilterDto)
  filter!: BulkFilterDto;

  /** Only counts; `expectedCount` has no effect then. */
  @Truth({ optional: true })
  dryRun?: boolean;

  /**
   * How many deliveries the caller means, as `dryRun` counted them. When more match by now, or they cannot be counted in
   * time, the answer is 409 with the new count in `matched`, and nothing is started. When fewer match, it starts.
   */
  @Whole({ min: 0, max: MOST_EXPECTED }, { optional: true })
  expectedCount?: number;
}
