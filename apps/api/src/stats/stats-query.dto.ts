import { InstantParameter, UuidParameter } from '../http/query-rules.js';

/** Parameters of `GET /v1/stats`. */
export class StatsQueryDto {
  /** One consumer; absent: all consumers. */
  @UuidParameter()
  consumerId?: string;

  /** The first minute; an hour before `to` when it is missing. */
  @InstantParameter()
  from?: string;

  /** Until when, exclusive; now when it is missing. */
  @InstantParameter()
  to?: string;
}
