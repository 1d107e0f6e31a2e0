import { EVENT_TYPES, OneOf, PageQueryDto, type EventType } from '#libs/contracts';
import { InstantParameter } from '../http/query-rules.js';

/** Filters of `GET /v1/notifications`. */
export class NotificationsQueryDto extends PageQueryDto {
  @OneOf(EVENT_TYPES, { optional: true })
  eventType?: EventType;

  /** Meant for the caller at or after; 90 days back when it is missing. */
  @InstantParameter()
  from?: string;

  /** Meant for the caller before. */
  @InstantParameter()
  to?: string;
}
