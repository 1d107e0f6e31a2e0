import {
  ISSUE_KINDS,
  ISSUE_STATES,
  OneOf,
  PageQueryDto,
  type IssueKind,
  type IssueState,
} from '#libs/contracts';
import { InstantParameter, UuidParameter } from '../http/query-rules.js';

/** Filters of `GET /v1/issues`. */
export class IssuesQueryDto extends PageQueryDto {
  @OneOf(ISSUE_STATES, { optional: true })
  state?: IssueState;

  @OneOf(ISSUE_KINDS, { optional: true })
  kind?: IssueKind;

  @UuidParameter()
  consumerId?: string;

  /** Opened at or after this instant. */
  @InstantParameter()
  from?: string;

  /** Opened before this instant. */
  @InstantParameter()
  to?: string;
}
