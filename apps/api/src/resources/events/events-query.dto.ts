import { EVENT_TYPES, InstantText, OneOf, PageQueryDto, Text, Truth, type EventType } from '#libs/contracts';

/** Filters of `GET /v1/events`. */
export class EventsQueryDto extends PageQueryDto {
  @OneOf(EVENT_TYPES, { optional: true })
  eventType?: EventType;

  /** ACH `transactionId` or wire `paymentId`. */
  @Text({ min: 1, max: 255, optional: true })
  paymentId?: string;

  @Text({ min: 1, max: 64, optional: true })
  status?: string;

  @Text({ min: 1, max: 255, optional: true })
  traceNumber?: string;

  @Text({ min: 1, max: 255, optional: true })
  imad?: string;

  /** `true`: only events without any recipient. */
  @Truth({ optional: true })
  unrouted?: boolean;

  /** Accepted at or after this instant. */
  @InstantText({ optional: true })
  from?: Date;

  /** Accepted before this instant. */
  @InstantText({ optional: true })
  to?: Date;
}
