import {
  BULK_ACTIONS,
  BULK_STATES,
  PaginationDto,
  type BulkActionKind,
  type BulkState,
} from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { BulkFilterDto } from './start-bulk-action.dto.js';

/** Number of deliveries that an action would cover. */
export class BulkPreviewDto {
  @ApiProperty({ enum: BULK_ACTIONS })
  action!: BulkActionKind;

  /** Null: the deliveries could not be counted within five seconds. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  matched!: number | null;
}

/** One operator command on many deliveries, executed by the workers. */
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

  /** Number of matching deliveries at the start; null: they could not be counted within five seconds. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  matched!: number | null;

  /** Number of deliveries processed so far: the sum of `changed` and `skipped`. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  processed!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  changed!: number;

  /** Due already or waiting for an earlier status (`retry`), consumer removed, event lost, or changed meanwhile. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  skipped!: number;

  /** Why the last step failed; null if it succeeded. After ten consecutive failed steps, `state` is `failed`. */
  @ApiProperty({ type: String, nullable: true })
  lastFault!: string | null;

  /** Name of the API key or person that started it. */
  @ApiProperty()
  createdBy!: string;

  /** The consumer whose people started it in the portal; null: an operator did. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  startedFor!: string | null;

  /** Name of the API key or person that stopped it; null unless `state` is `stopped`. */
  @ApiProperty({ type: String, nullable: true })
  stoppedBy!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  /** When it finished, was stopped or failed; null while it runs. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finishedAt!: string | null;
}

export class BulkActionListDto {
  @ApiProperty({ type: () => BulkActionDto, isArray: true })
  bulkActions!: BulkActionDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
