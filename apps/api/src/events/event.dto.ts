import { EVENT_TYPES, PaginationDto, type EventType } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { DeliveryDto } from '../deliveries/delivery.dto.js';
import { RecipientsDto } from '../deliveries/recipients.dto.js';

/** The fields of an event that a list and a payment's history have in common. */
export class EventSummaryDto {
  @ApiProperty({ format: 'uuid' })
  notificationId!: string;

  /** When it happened. */
  @ApiProperty({ format: 'date-time' })
  eventDateTime!: string;

  /** When it was committed. */
  @ApiProperty({ format: 'date-time' })
  acceptedAt!: string;

  /** The name of the API key that posted it. */
  @ApiProperty()
  producer!: string;

  @ApiProperty({ type: String, nullable: true })
  status!: string | null;

  @ApiProperty({ type: String, nullable: true })
  traceNumber!: string | null;

  @ApiProperty({ type: String, nullable: true })
  imad!: string | null;
}

/** An accepted event. */
export class EventDto extends EventSummaryDto {
  @ApiProperty({ enum: EVENT_TYPES })
  eventType!: EventType;

  /** ACH `transactionId` or wire `paymentId`. */
  @ApiProperty({ type: String, nullable: true })
  paymentId!: string | null;

  /** It concerned no consumer when it was accepted, and no operator has sent it to one since. */
  @ApiProperty()
  unrouted!: boolean;

  /** The state for each consumer, in short. */
  @ApiProperty({ type: () => RecipientsDto })
  recipients!: RecipientsDto;
}

/** An event with what was, or will be, sent and to whom. */
export class EventDetailDto extends EventDto {
  /** As sent, but for account numbers, which are cut to their last four characters where `masked` says so. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  envelope!: Record<string, unknown>;

  /** False for the producer who posted the event; others read it in full with `POST /v1/events/{notificationId}/envelope`. */
  @ApiProperty()
  masked!: boolean;

  @ApiProperty({ type: () => DeliveryDto, isArray: true })
  deliveries!: DeliveryDto[];
}

/** An envelope as it is sent, in full. */
export class EnvelopeDto {
  @ApiProperty({ type: 'object', additionalProperties: true })
  envelope!: Record<string, unknown>;
}

export class EventListDto {
  @ApiProperty({ type: () => EventDto, isArray: true })
  events!: EventDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
