import { EVENT_TYPES, OneOf, PageQueryDto, Text, type EventType } from '#libs/contracts';
import { BooleanParameter, InstantParameter } from '../http/query-rules.js';

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
  @BooleanParameter()
  unrouted?: 'true' | 'false';

  /** Accepted at or after this instant. */
  @InstantParameter()
  from?: string;

  /** Accepted before this instant. */
  @InstantParameter()
  to?: string;
}
