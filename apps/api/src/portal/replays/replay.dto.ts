import {
  OneOf,
  REPLAY_SCOPES,
  Truth,
  Whole,
  type BulkState,
  type Count,
  type Instant,
  type PaginationDto,
  type ReplayScope,
  type Uuid,
} from '#libs/contracts';
import { OptionalReasonDto } from '../../http/optional-reason.dto.js';
import { InstantParameter } from '../../http/query-rules.js';
import { MOST_EXPECTED } from '../../bulk-actions/start-bulk-action.dto.js';

/** `POST /v1/portal/replays`. */
export class StartReplayDto extends OptionalReasonDto {
  /** Deliveries created at or after this instant. */
  @InstantParameter({ optional: false })
  from!: string;

  /** Deliveries created before this instant. Absent: all that exist now. */
  @InstantParameter()
  to?: string;

  /** `missed`: only what was not delivered (waiting, dead, settled, cancelled). `all`: also delivered ones, again. */
  @OneOf(REPLAY_SCOPES, { optional: true, schema: { default: 'missed' } })
  scope?: ReplayScope;

  /** Only counts the deliveries; `expectedCount` is then ignored. */
  @Truth({ optional: true })
  dryRun?: boolean;

  /** Number of deliveries that the caller expects. If more match, nothing is started. */
  @Whole({ min: 0, max: MOST_EXPECTED }, { optional: true })
  expectedCount?: number;
}

/** Number of deliveries that a replay would cover. */
export class ReplayPreviewDto {
  /** Null: the deliveries could not be counted within five seconds. */
  matched!: Count | null;
}

/** A replay of own deliveries: each is sent again with a full retry schedule and the same notification id. */
export class ReplayDto {
  id!: Uuid;

  from!: Instant;

  to!: Instant | null;

  scope!: ReplayScope;

  state!: BulkState;

  /** Number of matching deliveries at the start; null: they could not be counted within five seconds. */
  matched!: Count | null;

  /** Number of deliveries processed so far: the sum of `changed` and `skipped`. */
  processed!: Count;

  changed!: Count;

  skipped!: Count;

  /** Name of the own key or person that started it. */
  createdBy!: string;

  createdAt!: Instant;

  /** When it finished, was stopped or failed; null while it runs. */
  finishedAt!: Instant | null;
}

export class ReplayListDto {
  replays!: ReplayDto[];

  pagination!: PaginationDto;
}
