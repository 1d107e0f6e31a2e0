import { SIGNATURE_FORMS } from './read-signature.js';

/** The parts of the text that is signed (specification, "Authentication", 3). */
export type SignedPart = 'verb' | 'url' | 'body' | 'timestamp';

/** A text with its key, as a consumer may have signed it. */
export interface SignedText extends Readonly<Record<SignedPart, string>> {
  /** The signed parts in their order. */
  readonly order: readonly SignedPart[];
  /** Version of the credentials whose secret is the key. */
  readonly version: number;
  readonly key: Buffer;
}

/** Reasons why a consumer's signature differs from the dispatcher's. */
export const VARIATION_CODES = [
  ...SIGNATURE_FORMS,
  'url_registered',
  'url_canonical',
  'url_slash',
  'url_scheme',
  'url_host_case',
  'url_default_port',
  'url_without_query',
  'url_path_only',
  'timestamp_milliseconds',
  'timestamp_seconds',
  'body_as_sent',
  'body_trimmed',
  'body_keys_sorted',
  'body_compact',
  'body_spaced',
  'body_indented',
  'body_escaped',
  'body_trailing_blank',
  'body_trailing_break',
  'body_byte_order_mark',
  'verb_missing',
  'verb_lower_case',
  'parts_order',
  'other_version',
  'secret_trailing_break',
  'secret_from_hex',
  'secret_from_base64',
] as const;
export type VariationCode = (typeof VARIATION_CODES)[number];

/** A text that differs from another in one way. */
export interface Varied {
  readonly signed: SignedText;
  /** What the consumer does, as a sentence for on-call staff, without secrets and signatures. */
  readonly words: string;
}

/** One variation of a signed text. Variations with the same `alternativeTo` exclude each other. */
export interface Variation {
  readonly code: VariationCode;
  readonly alternativeTo?: 'unit' | 'order' | 'version' | 'key';
  /** @returns null when it does not apply or changes nothing */
  readonly vary: (signed: SignedText) => Varied | null;
}

/** A variation of one part of the text. */
export const ofPart = (
  code: VariationCode,
  part: SignedPart,
  words: string,
  change: (text: string) => string | null,
): Variation => ({
  code,
  vary: (signed) => {
    const changed = change(signed[part]);
    return changed === null || changed === signed[part]
      ? null
      : { signed: { ...signed, [part]: changed }, words };
  },
});
