import type { BulkActionKind, BulkState, Count, Instant, PaginationDto, Uuid } from '#libs/contracts';
import type { StoredFilter } from '#libs/database';
import { ApiProperty } from '@nestjs/swagger';
import { BulkFilterDto } from './start-bulk-action.dto.js';

/** Number of deliveries that an action would cover. */
export class BulkPreviewDto {
  action!: BulkActionKind;
  /** Null: the deliveries could not be counted within five seconds. */
  matched!: Count | null;
}

/** One operator command on many deliveries, executed by the workers. */
export class BulkActionDto {
  id!: Uuid;
  action!: BulkActionKind;

  @ApiProperty({ type: () => BulkFilterDto })
  filter!: StoredFilter;

  reason!: string;
  state!: BulkState;
  /** Number of matching deliveries at the start; null: they could not be counted within five seconds. */
  matched!: Count | null;
  /** Number of deliveries processed so far: the sum of `changed` and `skipped`. */
  processed!: Count;
  changed!: Count;
  /** Due already or waiting for an earlier status (`retry`), consumer removed, event lost, or changed meanwhile. */
  skipped!: Count;
  /** Why the last step failed; null if it succeeded. After ten consecutive failed steps, `state` is `failed`. */
  lastFault!: string | null;
  /** Name of the API key or person that started it. */
  createdBy!: string;
  /** The consumer whose people started it in the portal; null: an operator did. */
  startedFor!: Uuid | null;
  /** Name of the API key or person that stopped it; null unless `state` is `stopped`. */
  stoppedBy!: string | null;
  createdAt!: Instant;
  /** When it finished, was stopped or failed; null while it runs. */
  finishedAt!: Instant | null;
}

export class BulkActionListDto {
  bulkActions!: BulkActionDto[];
  pagination!: PaginationDto;
}
