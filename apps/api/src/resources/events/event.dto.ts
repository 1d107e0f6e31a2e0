import type { EventType, Instant, PaginationDto, Uuid } from '#libs/contracts';
import type { DeliveryDto } from '../deliveries/delivery.dto.js';
import type { RecipientsDto } from '../deliveries/recipients.dto.js';

/** The fields of an event that lists and a payment's history have in common. */
export class EventSummaryDto {
  notificationId!: Uuid;
  /** When the status change happened, according to the producer. */
  eventDateTime!: Instant;
  /** When the dispatcher accepted the event. */
  acceptedAt!: Instant;
  /** The name of the API key that posted it. */
  producer!: string;
  status!: string | null;
  traceNumber!: string | null;
  imad!: string | null;
}

/** An accepted event. */
export class EventDto extends EventSummaryDto {
  eventType!: EventType;
  /** ACH `transactionId` or wire `paymentId`. */
  paymentId!: string | null;
  /** Whether it matched no consumer at acceptance, and no operator has sent it to one since. */
  unrouted!: boolean;
  /** Summary of the deliveries by consumer. */
  recipients!: RecipientsDto;
}

/** An event with its envelope and its deliveries. */
export class EventDetailDto extends EventDto {
  /** The envelope as sent; if `masked` is true, account numbers are cut to their last four characters. */
  envelope!: Record<string, unknown>;
  /** False for the event's producer; others read it in full with `POST /v1/events/{notificationId}/envelope`. */
  masked!: boolean;
  deliveries!: DeliveryDto[];
}

/** An envelope as sent, with account numbers in full. */
export class EnvelopeDto {
  envelope!: Record<string, unknown>;
}

export class EventListDto {
  events!: EventDto[];
  pagination!: PaginationDto;
}
