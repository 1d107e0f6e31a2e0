import type {
  Instant,
  Integer,
  IssueEvent,
  IssueKind,
  IssueState,
  MessageState,
  PaginationDto,
  Severity,
  Uuid,
} from '#libs/contracts';
import type { IssueRow, JudgedConsumer } from '#libs/database';
import { severityOf } from '#libs/policy';
import { viewOf } from '../../http/view-of.js';

/** A health issue: a condition that needs a person. */
export class IssueDto {
  id!: Uuid;
  kind!: IssueKind;
  /** By its kind. `page`: a person has to act now; `ticket`: on the same working day; `info`: within days. */
  severity!: Severity;
  /** `acknowledged`: a person takes care of it. `resolved`: the condition has ended, or a person has closed it. */
  state!: IssueState;
  /** Null: an issue of the whole installation. */
  consumerId!: Uuid | null;
  consumerName!: string | null;
  /** The consumer's contact. */
  contact!: string | null;
  /** Deliveries of the consumer that wait now; null: it is resolved, or has no consumer. */
  waiting!: Integer | null;
  /** Dead deliveries of the consumer that are not settled now; null: it is resolved, or has no consumer. */
  dead!: Integer | null;
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

/** An issue in the API's form. @param consumer with its present health, if the issue is not resolved */
export const issueView = (row: IssueRow, consumer?: JudgedConsumer): IssueDto =>
  viewOf(IssueDto, row, {
    severity: severityOf(row.kind),
    waiting: consumer?.health.waiting ?? null,
    dead: consumer?.health.dead.count ?? null,
    state: row.resolved_at !== null ? 'resolved' : row.acknowledged_at !== null ? 'acknowledged' : 'open',
  });
