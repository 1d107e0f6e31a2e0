import { EVENT_TYPES, PaginationDto, type EventType } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { DeliveryDto } from '../deliveries/delivery.dto.js';
import { RecipientsDto } from '../deliveries/recipients.dto.js';

/** The fields of an event that lists and a payment's history have in common. */
export class EventSummaryDto {
  @ApiProperty({ format: 'uuid' })
  notificationId!: string;

  /** When the status change happened, according to the producer. */
  @ApiProperty({ format: 'date-time' })
  eventDateTime!: string;

  /** When the dispatcher accepted the event. */
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

  /** Whether it matched no consumer at acceptance, and no operator has sent it to one since. */
  @ApiProperty()
  unrouted!: boolean;

  /** Summary of the deliveries by consumer. */
  @ApiProperty({ type: () => RecipientsDto })
  recipients!: RecipientsDto;
}

/** An event with its envelope and its deliveries. */
export class EventDetailDto extends EventDto {
  /** The envelope as sent; if `masked` is true, account numbers are cut to their last four characters. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  envelope!: Record<string, unknown>;

  /** False for the event's producer; others read it in full with `POST /v1/events/{notificationId}/envelope`. */
  @ApiProperty()
  masked!: boolean;

  @ApiProperty({ type: () => DeliveryDto, isArray: true })
  deliveries!: DeliveryDto[];
}

/** An envelope as sent, with account numbers in full. */
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
