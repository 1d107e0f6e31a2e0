import { Field, Text, Whole } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '../../http/query-rules.js';

/**
 * `POST /v1/consumers/:id/explain-signature`: either a delivery (`deliveryId`, `attempt`) or a pasted notification
 * (`body`, `timestamp`, `url`, `credentialVersion`).
 */
export class ExplainSignatureDto {
  @Field(
    (value) => (typeof value === 'string' && UUID.test(value) ? null : 'must be a UUID'),
    { type: 'string', format: 'uuid' },
    { optional: true },
  )
  deliveryId?: string;

  /** Absent: the last one. */
  @Whole({ min: 1, max: 1_000_000 }, { optional: true })
  attempt?: number;

  /** The body as it arrived; its UTF-8 bytes are signed. */
  @Text({ optional: true, schema: { example: '{"a":1}' } })
  body?: string;

  /** The value of `x-timestamp`. */
  @Text({
    pattern: /^\d{1,16}$/,
    patternInWords: 'must be the digits of x-timestamp, 1 to 16 of them',
    optional: true,
    schema: { example: '1700000000' },
  })
  timestamp?: string;

  /** Absent: the registered one. */
  @Text({ min: 1, max: 2_048, optional: true, schema: { format: 'uri' } })
  url?: string;

  /** Absent: the version in force. */
  @Whole({ min: 1, max: 1_000_000_000 }, { optional: true })
  credentialVersion?: number;
}

/** What is signed, in its order, with nothing between. */
export class SignedPartsDto {
  @ApiProperty({ example: 'POST' })
  verb!: string;

  @ApiProperty()
  url!: string;

  @ApiProperty()
  body!: string;

  @ApiProperty({ example: '1700000000' })
  timestamp!: string;
}

/** How a signature comes about; the secret itself is never shown. */
export class SignatureExplanationDto {
  /** The version whose secret is the key. */
  @ApiProperty({ type: 'integer' })
  credentialVersion!: number;

  /** The exact text whose UTF-8 bytes are signed. */
  @ApiProperty()
  stringToSign!: string;

  @ApiProperty({ type: () => SignedPartsDto })
  parts!: SignedPartsDto;

  /** HMAC-SHA256 of `stringToSign` under that secret: 64 lower-case hexadecimal characters. */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  signature!: string;

  /** As recorded with the attempt, or as they would be sent; secrets redacted. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers!: Record<string, string>;

  /** What to compare and what stands out, in plain words. */
  @ApiProperty({ type: String, isArray: true })
  notes!: string[];
}
