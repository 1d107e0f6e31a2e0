import type {
  BulkActionKind,
  BulkState,
  DeliveryState,
  EventType,
  HoldReason,
  Outcome,
} from '#libs/contracts';
import type { ColumnType, Generated } from 'kysely';

/** A filter of deliveries as it is kept, its times as ISO 8601. */
export interface BulkFilter {
  readonly state?: DeliveryState;
  readonly delivered?: boolean;
  readonly settled?: boolean;
  readonly status?: string;
  readonly consumerId?: string;
  readonly eventType?: EventType;
  readonly paymentId?: string;
  readonly notificationId?: string;
  readonly outcome?: Outcome;
  readonly httpStatus?: number;
  readonly holdReason?: HoldReason;
  readonly from?: string;
  readonly to?: string;
}

/** An action on many deliveries: what it covers, and how far it is. */
export interface BulkActionsTable {
  id: string;
  action: BulkActionKind;
  filter: ColumnType<BulkFilter, string, never>;
  reason: string;
  state: Generated<BulkState>;
  /** The newest delivery that there was; none that is made later is covered. */
  newest_id: string;
  /** The last delivery that a step has dealt with. */
  cursor: string | null;
  /** Null: they could not be counted in time. */
  matched: number | null;
  processed: Generated<number>;
  changed: Generated<number>;
  skipped: Generated<number>;
  /** Steps that have failed since the last that did not. */
  failures: Generated<number>;
  /** Why the last of them did, in our words; null when there is none. */
  last_fault: Generated<string | null>;
  created_by: string;
  /** Null unless somebody stopped it. */
  stopped_by: Generated<string | null>;
  /** When its deliveries were counted; none that is made later is covered, whatever its id. */
  created_at: ColumnType<Date, string, never>;
  /** Several that run take turns by it. */
  stepped_at: Generated<Date>;
  finished_at: Generated<Date | null>;
}
