import {
  BULK_ACTIONS,
  DeliveryFilter,
  Nested,
  OneOf,
  Truth,
  Whole,
  type BulkActionKind,
} from '#libs/contracts';
import { ReasonDto } from '../../http/reason.dto.js';

/** Largest `integer` of PostgreSQL, the type of stored counts. */
export const MOST_EXPECTED = 2_147_483_647;

/** Filter of deliveries with at least one field. The fields have the same meaning as in `GET /v1/deliveries`. */
export class BulkFilterDto extends DeliveryFilter {}

/** Body of `POST /v1/bulk-actions`. */
export class StartBulkActionDto extends ReasonDto {
  /**
   * `retry`: pending and dead deliveries become due now, cancelled ones only with `state: cancelled`; existing holds
   * still apply. `replay`: all deliveries, including delivered and cancelled ones, are sent again with a full retry
   * schedule and the same notificationId. `cancel`: pending and dead deliveries are cancelled and not sent.
   * `settle`: dead deliveries are marked as settled, with the reason. A person has dealt with them in another way, and they
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
