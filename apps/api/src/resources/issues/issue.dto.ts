import type {
  Instant,
  IssueEvent,
  IssueKind,
  IssueState,
  MessageState,
  PaginationDto,
  Uuid,
} from '#libs/contracts';
import type { IssueRow } from '#libs/database';
import { viewOf } from '../../http/view-of.js';

/** A health issue: a condition that needs a person. */
export class IssueDto {
  id!: Uuid;
  kind!: IssueKind;
  /** `acknowledged`: a person takes care of it. `resolved`: the condition has ended, or a person has closed it. */
  state!: IssueState;
  /** Null: an issue of the whole installation. */
  consumerId!: Uuid | null;
  consumerName!: string | null;
  /** The consumer's contact. */
  contact!: string | null;
  /** What was observed when it was opened. */
  summary!: string;
  /** What to do. */
  advice!: string;
  openedAt!: Instant;
  /** When the condition ended; null while it lasts. */
  endedAt!: Instant | null;
  acknowledgedAt!: Instant | null;
  acknowledgedBy!: string | null;
  /** The note of the acknowledgement. */
  note!: string | null;
  resolvedAt!: Instant | null;
  /** Null: not resolved, or resolved automatically. */
  resolvedBy!: string | null;
  /** The reason of a person who resolved it. */
  resolution!: string | null;
}

/** A message about an issue. */
export class IssueMessageDto {
  event!: IssueEvent;
  /** Null: the contact of the consumer. */
  channelName!: string | null;
  state!: MessageState;
  /** When it was sent, or created if it is not sent. */
  at!: Instant;
  /** Why it could not be sent, if it could not. */
  lastError!: string | null;
}

export class IssueDetailDto extends IssueDto {
  /** The messages about it, oldest first. */
  messages!: IssueMessageDto[];
}

export class IssueListDto {
  issues!: IssueDto[];
  pagination!: PaginationDto;
}

/** An issue in the API's form. */
export const issueView = (row: IssueRow): IssueDto =>
  viewOf(IssueDto, row, {
    state: row.resolved_at !== null ? 'resolved' : row.acknowledged_at !== null ? 'acknowledged' : 'open',
  });
