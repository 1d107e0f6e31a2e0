import { ListOf, textRule } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { DeliveryDto } from '../deliveries/delivery.dto.js';
import { ReasonDto } from '../http/reason.dto.js';

const NAME = { min: 1, max: 255 } as const;

/** `POST /v1/events/:notificationId/deliveries`: one more copy of an event. */
export class SendEventDto extends ReasonDto {
  /** Ids or `externalId`s of consumers that take the type and have no delivery of this event yet. */
  @ListOf(textRule(NAME), { min: 1, max: 100, items: { type: 'string', minLength: 1, maxLength: 255 } })
  consumers!: string[];
}

/** The deliveries that were made. */
export class EventSentDto {
  @ApiProperty({ type: () => DeliveryDto, isArray: true })
  deliveries!: DeliveryDto[];
}
