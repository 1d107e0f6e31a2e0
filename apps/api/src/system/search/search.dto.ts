import { Text, type EventType } from '#libs/contracts';

export class SearchQueryDto {
  /** A complete id, trace number or IMAD, or the beginning of a consumer’s name. */
  @Text({ min: 1, max: 255 })
  q!: string;
}

export class SearchHitDto {
  kind!: 'payment' | 'event' | 'delivery' | 'consumer' | 'bulk_action';

  /** The field that matches the text. */
  matchedBy!:
    | 'notification_id'
    | 'delivery_id'
    | 'consumer_id'
    | 'bulk_action_id'
    | 'payment_id'
    | 'trace_number'
    | 'imad'
    | 'external_id'
    | 'consumer_name';

  /** Id of the hit: of a payment its payment id, of an event its notification id. */
  id!: string;
  /** Event type of a payment, an event or a delivery; null for other hits. */
  eventType!: EventType | null;
  /** @example "ACH payment TX-1" */
  title!: string;
  /** @example "Newest status RETURN, 3 events" */
  detail!: string;
}

export class SearchDto {
  hits!: SearchHitDto[];
  /** Whether there are more hits than returned. */
  moreRecords!: boolean;
}
