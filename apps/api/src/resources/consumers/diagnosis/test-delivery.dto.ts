import { EVENT_TYPES, OneOf, type EventType } from '#libs/contracts';
import { ExchangeDto } from '../../deliveries/delivery.dto.js';

const CREDENTIALS = ['current', 'next'] as const;

/** `POST /v1/consumers/:id/test`. */
export class TestConsumerDto {
  /** Absent: the first of the consumer's event types. */
  @OneOf(EVENT_TYPES, { optional: true })
  eventType?: EventType;

  /** `current`: the version in force; `next`: the coming version, before its `activateAt`. */
  @OneOf(CREDENTIALS, { optional: true, schema: { default: 'current' } })
  credentials?: (typeof CREDENTIALS)[number];
}

/** A test delivery and the consumer's response. */
export class TestDeliveryDto extends ExchangeDto {
  /**
   * Begins with `TEST-`.
   * @example TEST-2f2-7b5e-7c3a-8f00-000000000000
   */
  notificationId!: string;
  eventType!: EventType;
  /** The exact body that was sent. */
  body!: string;
}
