import {
  InstantText,
  ISSUE_KINDS,
  ISSUE_STATES,
  OneOf,
  PageQueryDto,
  UuidText,
  type IssueKind,
  type IssueState,
} from '#libs/contracts';

/** Filters of `GET /v1/issues`. */
export class IssuesQueryDto extends PageQueryDto {
  @OneOf(ISSUE_STATES, { optional: true })
  state?: IssueState;

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
