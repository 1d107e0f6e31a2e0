import { EVENT_TYPES, Text, type EventType } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';

export const HIT_KINDS = ['payment', 'event', 'delivery', 'consumer', 'bulk_action'] as const;
export const MATCHED_BY = [
  'notification_id',
  'delivery_id',
  'consumer_id',
  'bulk_action_id',
  'payment_id',
  'trace_number',
  'imad',
  'external_id',
  'consumer_name',
] as const;

export class SearchQueryDto {
  /** A complete id, trace number or IMAD, or the beginning of a consumer’s name. */
  @Text({ min: 1, max: 255 })
  q!: string;
}

export class SearchHitDto {
  @ApiProperty({ enum: HIT_KINDS })
  kind!: (typeof HIT_KINDS)[number];

  /** The field that matches the text. */
  @ApiProperty({ enum: MATCHED_BY })
  matchedBy!: (typeof MATCHED_BY)[number];

  /** Id of the hit: of a payment its payment id, of an event its notification id. */
  @ApiProperty()
  id!: string;

  /** Event type of a payment, an event or a delivery; null for other hits. */
  @ApiProperty({ type: String, enum: EVENT_TYPES, nullable: true })
  eventType!: EventType | null;

  @ApiProperty({ example: 'ACH payment TX-1' })
  title!: string;

  @ApiProperty({ example: 'Newest status RETURN, 3 events' })
  detail!: string;
}

export class SearchDto {
  @ApiProperty({ type: () => SearchHitDto, isArray: true })
  hits!: SearchHitDto[];

  /** Whether there are more hits than returned. */
  @ApiProperty()
  moreRecords!: boolean;
}
