import { InstantParameter, UuidParameter } from '../http/query-rules.js';

/** What `GET /v1/stats` tells of. */
export class StatsQueryDto {
  /** One consumer; everybody when it is missing. */
  @UuidParameter()
  consumerId?: string;

  /** The first minute; an hour before `to` when it is missing. */
  @InstantParameter()
  from?: string;

  /** Until when, exclusive; now when it is missing. */
  @InstantParameter()
  to?: string;
}
