import { EVENT_TYPES, OneOf, OUTCOMES, type EventType, type Outcome } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';

const CREDENTIALS = ['current', 'next'] as const;

/** `POST /v1/consumers/:id/test`. */
export class TestConsumerDto {
  /** Absent: the first of the consumer's event types. */
  @OneOf(EVENT_TYPES, { optional: true })
  eventType?: EventType;

  /** `next`: the coming version, before it comes. */
  @OneOf(CREDENTIALS, { optional: true, schema: { default: 'current' } })
  credentials?: (typeof CREDENTIALS)[number];
}

/** A test delivery and the consumer's answer. */
export class TestDeliveryDto {
  /** Begins with `TEST-`. */
  @ApiProperty({ example: 'TEST-2f2-7b5e-7c3a-8f00-000000000000' })
  notificationId!: string;

  @ApiProperty({ enum: EVENT_TYPES })
  eventType!: EventType;

  @ApiProperty({ type: 'integer' })
  credentialVersion!: number;

  @ApiProperty()
  url!: string;

  /** Secrets redacted. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  requestHeaders!: Record<string, string>;

  /** Exactly what was sent. */
  @ApiProperty()
  body!: string;

  @ApiProperty({ format: 'date-time' })
  startedAt!: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  durationMs!: number;

  @ApiProperty({ enum: OUTCOMES })
  outcome!: Outcome;

  @ApiProperty({ type: 'integer', nullable: true })
  httpStatus!: number | null;

  /** The outcome in words. */
  @ApiProperty()
  detail!: string;

  /** What to do next, in plain words. */
  @ApiProperty()
  advice!: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  responseHeaders!: Record<string, string> | null;

  /** The first 4 KiB. */
  @ApiProperty({ type: String, nullable: true })
  responseBody!: string | null;

  @ApiProperty()
  responseTruncated!: boolean;

  /** The consumer's clock minus ours, when they differ by more than a minute. */
  @ApiProperty({ type: 'integer', nullable: true })
  clockSkewMs!: number | null;
}
