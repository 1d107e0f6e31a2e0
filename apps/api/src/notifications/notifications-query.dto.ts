import { EVENT_TYPES, OneOf, PageQueryDto, type EventType } from '#libs/contracts';
import { InstantParameter } from '../http/query-rules.js';

/** Filters of `GET /v1/notifications`. */
export class NotificationsQueryDto extends PageQueryDto {
  @OneOf(EVENT_TYPES, { optional: true })
  eventType?: EventType;

  /** Start of the period in which the notifications were created, inclusive. Absent: 90 days ago. */
  @InstantParameter()
  from?: string;

  /** End of this period, exclusive. */
  @InstantParameter()
  to?: string;
}
