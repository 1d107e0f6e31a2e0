import { EVENT_TYPES, OUTCOMES, type EventType, type Outcome } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { SignedPartsDto } from '../../consumers/signature/signature.dto.js';

/** Failed attempts with one cause. */
export class PortalFailureDto {
  @ApiProperty({ enum: OUTCOMES })
  outcome!: Outcome;

  @ApiProperty({ type: 'integer', nullable: true })
  httpStatus!: number | null;

  /** Number of failed attempts. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  count!: number;

  /** Number of deliveries that these attempts belong to. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  deliveries!: number;

  @ApiProperty({ format: 'date-time' })
  firstAt!: string;

  @ApiProperty({ format: 'date-time' })
  lastAt!: string;

  /** What the server did, and the recommended next step. */
  @ApiProperty({
    example: 'Your server answered 503: it is unavailable. Check whether it runs and is not overloaded.',
  })
  advice!: string;

  @ApiProperty({ format: 'uuid' })
  lastDeliveryId!: string;
}

export class PortalFailureListDto {
  @ApiProperty({ format: 'date-time' })
  from!: string;

  @ApiProperty({ format: 'date-time' })
  to!: string;

  /** Number of failed attempts evaluated: the newest ones of the period. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  attemptsSeen!: number;

  /** True: `attemptsSeen` is the maximum of 5,000, and older ones may exist. Request a shorter period to see them. */
  @ApiProperty()
  attemptsAreCapped!: boolean;

  /** The most frequent cause first. */
  @ApiProperty({ type: () => PortalFailureDto, isArray: true })
  failures!: PortalFailureDto[];
}

/** A test delivery, and the answer of the consumer's server. */
export class PortalTestDto {
  /** Begins with `TEST-`. */
  @ApiProperty({ example: 'TEST-2f2-7b5e-7c3a-8f00-000000000000' })
  notificationId!: string;

  @ApiProperty({ enum: EVENT_TYPES })
  eventType!: EventType;

  /** The exact body that was sent. */
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

  /** What the server did, and the recommended next step. */
  @ApiProperty()
  advice!: string;

  /** The URL as requested and signed. */
  @ApiProperty()
  url!: string;

  @ApiProperty({ type: 'integer' })
  credentialVersion!: number;

  /** Secrets redacted. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  requestHeaders!: Record<string, string>;

  /** Null without an answer. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  responseHeaders!: Record<string, string> | null;

  /** The first 4 KiB. Null without a readable body. */
  @ApiProperty({ type: String, nullable: true })
  responseBody!: string | null;

  @ApiProperty()
  responseTruncated!: boolean;

  /** The server's clock minus the bank's, if more than a minute. */
  @ApiProperty({ type: 'integer', nullable: true })
  clockSkewMs!: number | null;
}

/** How the consumer's last notification was signed, without the secret. */
export class VerificationExampleDto {
  @ApiProperty({ format: 'uuid' })
  deliveryId!: string;

  @ApiProperty({ format: 'uuid' })
  notificationId!: string;

  /** The version of the credentials whose secret is the key. */
  @ApiProperty({ type: 'integer' })
  credentialVersion!: number;

  /** The exact text whose UTF-8 bytes are signed. */
  @ApiProperty()
  stringToSign!: string;

  @ApiProperty({ type: () => SignedPartsDto })
  parts!: SignedPartsDto;

  /** HMAC-SHA256 of `stringToSign` with that secret: 64 lower-case hexadecimal characters. */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  signature!: string;

  /** The request headers as recorded with the attempt; secrets redacted. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers!: Record<string, string>;
}
