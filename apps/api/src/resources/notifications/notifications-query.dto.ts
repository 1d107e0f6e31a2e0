import { EVENT_TYPES, InstantText, OneOf, PageQueryDto, type EventType } from '#libs/contracts';

/** Filters of `GET /v1/notifications`. */
export class NotificationsQueryDto extends PageQueryDto {
  @OneOf(EVENT_TYPES, { optional: true })
  eventType?: EventType;

  /** Start of the period in which the notifications were created, inclusive. Absent: 90 days ago. */
  @InstantText({ optional: true })
  from?: Date;

  /** End of this period, exclusive. */
  @InstantText({ optional: true })
  to?: Date;
}
