import { InstantParameter, UuidParameter } from '../http/query-rules.js';

/** Parameters of `GET /v1/stats`. */
export class StatsQueryDto {
  /** One consumer; absent: all consumers. */
  @UuidParameter()
  consumerId?: string;

  /** Start of the range; absent: one hour before `to`. */
  @InstantParameter()
  from?: string;

  /** End of the range, exclusive; absent: now. */
  @InstantParameter()
  to?: string;
}
