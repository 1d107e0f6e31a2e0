import { Field, Text, Whole } from '#libs/contracts';
import { readSignature, VARIATION_CODES, type VariationCode } from '#libs/signing';
import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '../../http/query-rules.js';

/**
 * `POST /v1/consumers/:id/explain-signature`: either a delivery (`deliveryId`, `attempt`) or what the consumer has signed
 * and computed (`body`, `timestamp`, `signature`, `url`, `credentialVersion`).
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

  /** The body that the consumer has signed; its UTF-8 bytes count. The request is 256 KiB at most. */
  @Text({ max: 262_144, optional: true, schema: { example: '{"a":1}' } })
  body?: string;

  /** The value of `x-timestamp`. */
  @Text({
    pattern: /^\d{1,16}$/,
    patternInWords: 'must be the digits of x-timestamp, 1 to 16 of them',
    optional: true,
    schema: { example: '1700000000' },
  })
  timestamp?: string;

  /**
   * The signature that the consumer has computed; required with a body. 64 hexadecimal characters, or base64; capitals,
   * blanks around it and a prefix such as `sha256=` are taken, and reported.
   */
  @Text({
    max: 200,
    also: (value) =>
      readSignature(value) === null ? 'must be 64 hexadecimal characters, or 32 bytes in base64' : null,
    optional: true,
    schema: { example: '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd' },
  })
  signature?: string;

  /** Absent: the registered one. */
  @Text({ min: 1, max: 2_048, optional: true, schema: { format: 'uri' } })
  url?: string;

  /** Absent: the version in force. Other versions are tried, too. */
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

/** How the signature of an attempt comes about; the secret itself is never shown. */
export class SignatureExplanationDto {
  @ApiProperty({ enum: ['explanation'] })
  kind!: 'explanation';

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

  /** As recorded with the attempt; secrets redacted. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers!: Record<string, string>;

  /** What to compare and what is unusual, in plain words. */
  @ApiProperty({ type: String, isArray: true })
  notes!: string[];
}

/** One thing that the consumer does differently. */
export class SignatureDifferenceDto {
  @ApiProperty({ enum: VARIATION_CODES })
  code!: VariationCode;

  /** The same as a sentence. */
  @ApiProperty()
  words!: string;
}

/** How the pasted body relates to the notification that it names. */
export class NamedNotificationDto {
  @ApiProperty({ format: 'uuid' })
  notificationId!: string;

  @ApiProperty({ format: 'uuid' })
  deliveryId!: string;

  /** `rewritten`: the same JSON in other bytes. `changed`: another content, or no JSON. */
  @ApiProperty({ enum: ['same_bytes', 'rewritten', 'changed'] })
  kind!: 'same_bytes' | 'rewritten' | 'changed';

  /** Bytes before the first difference; absent when there is none. */
  @ApiProperty({ type: 'integer', minimum: 0, required: false })
  offset?: number;

  /** At most 16 characters from there, as they were sent. */
  @ApiProperty({ required: false })
  sent?: string;

  /** The same of the pasted body. */
  @ApiProperty({ required: false })
  given?: string;
}

/** What a signature of the consumer's own is the signature of. No signature that was computed here is in it. */
export class SignatureComparisonDto {
  @ApiProperty({ enum: ['comparison'] })
  kind!: 'comparison';

  /**
   * `match`: the one that the dispatcher would send. `variation`: one that comes of `differences`. `no_match`: of no text
   * and no secret that was tried.
   */
  @ApiProperty({ enum: ['match', 'variation', 'no_match'] })
  finding!: 'match' | 'variation' | 'no_match';

  /** The version whose secret is the key; without a match the one that was asked about. */
  @ApiProperty({ type: 'integer' })
  credentialVersion!: number;

  /** What the consumer does differently: at most two things, and how the signature is written. */
  @ApiProperty({ type: () => SignatureDifferenceDto, isArray: true })
  differences!: readonly SignatureDifferenceDto[];

  /** Null: the body names no notification of this consumer. */
  @ApiProperty({ type: () => NamedNotificationDto, nullable: true })
  notification!: NamedNotificationDto | null;

  /** What is unusual in what was pasted, in plain words. */
  @ApiProperty({ type: String, isArray: true })
  notes!: string[];
}
