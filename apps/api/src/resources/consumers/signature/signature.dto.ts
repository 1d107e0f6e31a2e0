import {
  Field,
  Text,
  UUID,
  Whole,
  type Count,
  type Integer,
  type Signature,
  type Uuid,
} from '#libs/contracts';
import { readSignature, type VariationCode } from '#libs/signing';
import { ApiProperty } from '@nestjs/swagger';
import { NOT_A_SIGNATURE } from './explain-signature.js';

/**
 * `POST /v1/consumers/:id/explain-signature`: an attempt of a delivery (`deliveryId`, `attempt`), without any field the
 * request sent last, or the text and signature of the consumer (`body`, `timestamp`, `signature`, `url`,
 * `credentialVersion`).
 */
export class ExplainSignatureDto {
  @Field(
    (value) => (typeof value === 'string' && UUID.test(value) ? null : 'must be a UUID'),
    { type: 'string', format: 'uuid' },
    { optional: true },
  )
  deliveryId?: string;

  /** Absent: the last attempt. */
  @Whole({ min: 1, max: 1_000_000 }, { optional: true })
  attempt?: number;

  /** The body that the consumer has signed, compared as UTF-8. The whole request may have at most 256 KiB. */
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
   * The signature that the consumer has computed; required with a body. 64 hexadecimal characters, or base64.
   * Capitals, surrounding blanks and a prefix such as `sha256=` are accepted and reported.
   */
  @Text({
    max: 200,
    also: (value) => (readSignature(value) === null ? NOT_A_SIGNATURE : null),
    optional: true,
    schema: { example: '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd' },
  })
  signature?: string;

  /** Absent: the registered URL. */
  @Text({ min: 1, max: 2_048, optional: true, schema: { format: 'uri' } })
  url?: string;

  /** Absent: the version in force. The 8 newest other versions are also tried. */
  @Whole({ min: 1, max: 1_000_000_000 }, { optional: true })
  credentialVersion?: number;
}

/** The parts of the signed text, in order. They are joined without a separator. */
export class SignedPartsDto {
  /** @example POST */
  verb!: string;
  url!: string;
  body!: string;
  /** @example 1700000000 */
  timestamp!: string;
}

/** How the signature of an attempt is computed, without the secret. */
export class SignatureExplanationDto {
  kind!: 'explanation';
  deliveryId!: Uuid;
  notificationId!: Uuid;
  /** The version of the credentials whose secret is the key. */
  credentialVersion!: Integer;
  /** The exact text whose UTF-8 bytes are signed. */
  stringToSign!: string;
  parts!: SignedPartsDto;
  /** HMAC-SHA256 of `stringToSign` with that secret: 64 lower-case hexadecimal characters. */
  signature!: Signature;
  /** The request headers as recorded with the attempt; secrets redacted. */
  headers!: Record<string, string>;
  /** What to compare and what is unusual, in plain words. */
  notes!: string[];
}

/** One difference between the consumer's computation of the signature and the dispatcher's. */
export class SignatureDifferenceDto {
  code!: VariationCode;
  /** The difference as a sentence. */
  words!: string;
}

/** How the pasted body relates to the notification that it names. */
export class NamedNotificationDto {
  notificationId!: Uuid;
  deliveryId!: Uuid;
  /** `rewritten`: the same JSON in other bytes. `changed`: other content, or invalid JSON. */
  kind!: 'same_bytes' | 'rewritten' | 'changed';
  /** Number of equal bytes before the first difference; absent when there is none. */
  offset?: Count;
  /** At most 16 characters of the body as sent, from the first difference on. */
  sent?: string;
  /** At most 16 characters of the pasted body, from the first difference on. */
  given?: string;
}

/** Which text and secret the consumer's signature results from. It never contains a computed signature. */
export class SignatureComparisonDto {
  kind!: 'comparison';
  /**
   * `match`: the dispatcher computes the same signature for this text. `variation`: the signature results from
   * `differences`. `no_match`: it results from no text and secret that was tried.
   */
  finding!: 'match' | 'variation' | 'no_match';
  /** The version of the credentials whose secret is the key; for `no_match`, the requested version. */
  credentialVersion!: Integer;

  /** At most two variations of the text or key, and deviations in the form of the signature. */
  @ApiProperty({ type: () => SignatureDifferenceDto, isArray: true })
  differences!: readonly SignatureDifferenceDto[];

  /** Null: the body names no notification of this consumer. */
  notification!: NamedNotificationDto | null;
  /** What is unusual in the pasted values, in plain words. */
  notes!: string[];
}
