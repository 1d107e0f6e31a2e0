import {
  InstantText,
  OneOf,
  REPLAY_SCOPES,
  Truth,
  Whole,
  type Count,
  type Instant,
  type PaginationDto,
  type ReplayScope,
} from '#libs/contracts';
import { PickType } from '@nestjs/swagger';
import { BulkActionDto, BulkPreviewDto } from './bulk-action.dto.js';
import { MOST_EXPECTED } from './start-bulk-action.dto.js';
import { OptionalReasonDto } from '../../http/reason.dto.js';

/** `POST /v1/portal/replays`. */
export class StartReplayDto extends OptionalReasonDto {
  /** Deliveries created at or after this instant. */
  @InstantText()
  from!: Date;

  /** Deliveries created before this instant. Absent: all that exist now. */
  @InstantText({ optional: true })
  to?: Date;

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
export class ReplayPreviewDto extends PickType(BulkPreviewDto, ['matched']) {}

/** A replay of own deliveries: each is sent again with a full retry schedule and the same notification id. */
export class ReplayDto extends PickType(BulkActionDto, [
  'id',
  'state',
  'matched',
  'processed',
  'changed',
  'createdAt',
  'finishedAt',
]) {
  from!: Instant;
  to!: Instant | null;
  scope!: ReplayScope;
  skipped!: Count;
  /** Name of the own key or person that started it. */
  createdBy!: string;
}

export class ReplayListDto {
  replays!: ReplayDto[];
  pagination!: PaginationDto;
}
