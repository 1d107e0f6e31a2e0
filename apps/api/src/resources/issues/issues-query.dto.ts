import {
  InstantText,
  ISSUE_KINDS,
  ISSUE_STATE_FILTERS,
  OneOf,
  PageQueryDto,
  UuidText,
  type IssueKind,
  type IssueStateFilter,
} from '#libs/contracts';

/** Filters of `GET /v1/issues`. */
export class IssuesQueryDto extends PageQueryDto {
  /** `unresolved`: open or acknowledged. */
  @OneOf(ISSUE_STATE_FILTERS, { optional: true })
  state?: IssueStateFilter;

  @OneOf(ISSUE_KINDS, { optional: true })
  kind?: IssueKind;

  @UuidText({ optional: true })
  consumerId?: string;

  /** Opened at or after this instant. */
  @InstantText({ optional: true })
  from?: Date;

  /** Opened before this instant. */
  @InstantText({ optional: true })
  to?: Date;
}
