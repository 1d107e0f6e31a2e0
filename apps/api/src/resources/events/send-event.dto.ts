import { ListOf, textRule } from '#libs/contracts';
import type { DeliveryDto } from '../deliveries/delivery.dto.js';
import { ReasonDto } from '../../http/reason.dto.js';

const NAME = { min: 1, max: 255 } as const;

/** `POST /v1/events/:notificationId/deliveries`: sends an event to more consumers. */
export class SendEventDto extends ReasonDto {
  /** Ids or `externalId`s of consumers that have the event type and no delivery of this event yet. */
  @ListOf(textRule(NAME), { min: 1, max: 100, items: { type: 'string', minLength: 1, maxLength: 255 } })
  consumers!: string[];
}

/** The deliveries that were created. */
export class EventSentDto {
  deliveries!: DeliveryDto[];
}
