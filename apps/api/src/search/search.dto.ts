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
  /** An id, whole, or the beginning of a consumer’s name. */
  @Text({ min: 1, max: 255 })
  q!: string;
}

export class SearchHitDto {
  @ApiProperty({ enum: HIT_KINDS })
  kind!: (typeof HIT_KINDS)[number];

  /** What the text is of it. */
  @ApiProperty({ enum: MATCHED_BY })
  matchedBy!: (typeof MATCHED_BY)[number];

  /** Of a payment its payment id, of an event its notification id. */
  @ApiProperty()
  id!: string;

  /** Of a payment, an event or a delivery. */
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

  /** There are more hits than are shown. */
  @ApiProperty()
  moreRecords!: boolean;
}
