import {
  ISSUE_EVENTS,
  ISSUE_KINDS,
  ISSUE_STATES,
  MESSAGE_STATES,
  PaginationDto,
  type IssueEvent,
  type IssueKind,
  type IssueState,
  type MessageState,
} from '#libs/contracts';
import type { IssueRow } from '#libs/database';
import { ApiProperty } from '@nestjs/swagger';

/** A health issue: a condition that needs a person. */
export class IssueDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: ISSUE_KINDS })
  kind!: IssueKind;

  /** `acknowledged`: a person takes care of it. `resolved`: the condition has ended, or a person has closed it. */
  @ApiProperty({ enum: ISSUE_STATES })
  state!: IssueState;

  /** Null: an issue of the whole installation. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  consumerId!: string | null;

  @ApiProperty({ type: String, nullable: true })
  consumerName!: string | null;

  /** The consumer's contact. */
  @ApiProperty({ type: String, nullable: true })
  contact!: string | null;

  /** What was observed when it was opened. */
  @ApiProperty()
  summary!: string;

  /** What to do. */
  @ApiProperty()
  advice!: string;

  @ApiProperty({ format: 'date-time' })
  openedAt!: string;

  /** When the condition ended; null while it lasts. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  endedAt!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  acknowledgedAt!: string | null;

  @ApiProperty({ type: String, nullable: true })
  acknowledgedBy!: string | null;

  /** The note of the acknowledgement. */
  @ApiProperty({ type: String, nullable: true })
  note!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  resolvedAt!: string | null;

  /** Null: not resolved, or resolved automatically. */
  @ApiProperty({ type: String, nullable: true })
  resolvedBy!: string | null;

  /** The reason of a person who resolved it. */
  @ApiProperty({ type: String, nullable: true })
  resolution!: string | null;
}

/** A message about an issue. */
export class IssueMessageDto {
  @ApiProperty({ enum: ISSUE_EVENTS })
  event!: IssueEvent;

  /** Null: the contact of the consumer. */
  @ApiProperty({ type: String, nullable: true })
  channelName!: string | null;

  @ApiProperty({ enum: MESSAGE_STATES })
  state!: MessageState;

  /** When it was sent, or created if it is not sent. */
  @ApiProperty({ format: 'date-time' })
  at!: string;

  /** Why it could not be sent, if it could not. */
  @ApiProperty({ type: String, nullable: true })
  lastError!: string | null;
}

export class IssueDetailDto extends IssueDto {
  /** The messages about it, oldest first. */
  @ApiProperty({ type: () => [IssueMessageDto] })
  messages!: IssueMessageDto[];
}

export class IssueListDto {
  @ApiProperty({ type: () => [IssueDto] })
  issues!: IssueDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}

/** An issue in the API's form. */
export const issueView = (row: IssueRow): IssueDto => ({
  id: row.id,
  kind: row.kind,
  state: row.resolved_at !== null ? 'resolved' : row.acknowledged_at !== null ? 'acknowledged' : 'open',
  consumerId: row.consumer_id,
  consumerName: row.consumer_name,
  contact: row.contact,
  summary: row.summary,
  advice: row.advice,
  openedAt: row.opened_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
  acknowledgedBy: row.acknowledged_by,
  note: row.note,
  resolvedAt: row.resolved_at?.toISOString() ?? null,
  resolvedBy: row.resolved_by,
  resolution: row.resolution,
});
