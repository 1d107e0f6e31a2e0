import { Text, Whole } from '#libs/contracts';
import { readSignature } from '#libs/signing';

/** `POST /v1/portal/compare-signature`: what the consumer's program has received, and the signature it computed. */
export class CompareOwnSignatureDto {
  /** The body that the program has signed, compared as UTF-8. The whole request may have at most 256 KiB. */
  @Text({ max: 262_144, schema: { example: '{"a":1}' } })
  body!: string;

  /** The value of `x-timestamp`. */
  @Text({
    pattern: /^\d{1,16}$/,
    patternInWords: 'must be the digits of x-timestamp, 1 to 16 of them',
    schema: { example: '1700000000' },
  })
  timestamp!: string;

  /** The signature that the program has computed: 64 hexadecimal characters, or base64. */
  @Text({
    max: 200,
    also: (value) =>
      readSignature(value) === null ? 'must be 64 hexadecimal characters, or 32 bytes in base64' : null,
    schema: { example: '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd' },
  })
  signature!: string;

  /** Absent: the registered URL. */
  @Text({ min: 1, max: 2_048, optional: true, schema: { format: 'uri' } })
  url?: string;

  /** Absent: the version in force. */
  @Whole({ min: 1, max: 1_000_000_000 }, { optional: true })
  credentialVersion?: number;
}
