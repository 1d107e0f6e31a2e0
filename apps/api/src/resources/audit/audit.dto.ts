import {
  AUDIT_ACTIONS,
  InstantText,
  OneOf,
  PageQueryDto,
  Text,
  Whole,
  type AuditAction,
  type Instant,
  type PaginationDto,
} from '#libs/contracts';

/** Filters of `GET /v1/audit`. `actor` matches a part, `action` and `target` match exactly. */
export class AuditQueryDto extends PageQueryDto {
  /** Returns the entries after this id, oldest first: a stream for a SIEM. `0` starts with the first entry. */
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }, { optional: true })
  after?: number;

  /** A part of the name of an API key or person, case-insensitive; `dispatcher` for the dispatcher’s own entries. */
  @Text({ min: 1, max: 255, optional: true })
  actor?: string;

  @OneOf(AUDIT_ACTIONS, { optional: true })
  action?: AuditAction;

  /** Kind and id. Callers without the role admin must name one consumer: `consumer:<id>`. */
  @Text({
    min: 1,
    max: 255,
    optional: true,
    schema: { example: 'consumer:0199c2f2-7b5e-7c3a-8f00-000000000000' },
  })
  target?: string;

  /** Entries at or after this instant. */
  @InstantText({ optional: true })
  from?: Date;

  /** Entries before this instant. */
  @InstantText({ optional: true })
  to?: Date;
}

/** An entry of the audit log: one audited action. */
export class AuditEntryDto {
  /** @example 4711 */
  id!: string;
  at!: Instant;
  /** The name of the API key or person; `dispatcher` for the dispatcher’s own entries. */
  actor!: string;
  /**
   * The roles granted to the actor; null for the dispatcher.
   * @example operator
   */
  role!: string | null;
  /** @example consumer.changed */
  action!: string;
  /** @example consumer:0199c2f2-7b5e-7c3a-8f00-000000000000 */
  target!: string;
  /**
   * The current name of a consumer or API key, also after its removal; null for other targets.
   * @example Acme
   */
  targetName!: string | null;
  /** The client's IP address; null for the dispatcher. */
  address!: string | null;
  reason!: string | null;
  details!: Record<string, unknown>;
  /** The changed fields with their values before the change. Never contains a secret. */
  before!: Record<string, unknown> | null;
  /** The changed fields with their values after the change. Never contains a secret. */
  after!: Record<string, unknown> | null;
}

export class AuditListDto {
  entries!: AuditEntryDto[];
  pagination!: PaginationDto;
}
