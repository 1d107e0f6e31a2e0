import {
  BULK_ACTIONS,
  BULK_STATES,
  PaginationDto,
  type BulkActionKind,
  type BulkState,
} from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { BulkFilterDto } from './start-bulk-action.dto.js';

/** How many deliveries an action would cover. */
export class BulkPreviewDto {
  @ApiProperty({ enum: BULK_ACTIONS })
  action!: BulkActionKind;

  /** Null: they could not be counted within five seconds. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  matched!: number | null;
}

/** An action on many deliveries, carried out by the workers. */
export class BulkActionDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: BULK_ACTIONS })
  action!: BulkActionKind;

  @ApiProperty({ type: () => BulkFilterDto })
  filter!: BulkFilterDto;

  @ApiProperty()
  reason!: string;

  @ApiProperty({ enum: BULK_STATES })
  state!: BulkState;

  /** Counted when it was started; null: they could not be counted within five seconds. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  matched!: number | null;

  /** Looked at so far: `changed` and `skipped`. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  processed!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  changed!: number;

  /** Left as they were: due already, or behind an earlier status (`retry`), of a removed consumer or a lost event, or changed by others meanwhile. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  skipped!: number;

  /** Why its last step failed; null when it did not. `failed` is the state after ten failed steps in a row. */
  @ApiProperty({ type: String, nullable: true })
  lastFault!: string | null;

  /** The name of the API key that started it. */
  @ApiProperty()
  createdBy!: string;

  /** The name of the API key that stopped it; null unless `state` is `stopped`. */
  @ApiProperty({ type: String, nullable: true })
  stoppedBy!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  /** When it was finished or stopped, or had failed. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finishedAt!: string | null;
}

export class BulkActionListDto {
  @ApiProperty({ type: () => BulkActionDto, isArray: true })
  bulkActions!: BulkActionDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
