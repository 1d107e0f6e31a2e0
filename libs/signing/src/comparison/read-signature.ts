/** Deviations from the form of `x-signature`: 64 lower-case hexadecimal characters. */
export const SIGNATURE_FORMS = [
  'signature_blanks',
  'signature_prefix',
  'signature_upper_case',
  'signature_base64',
] as const;
export type SignatureForm = (typeof SIGNATURE_FORMS)[number];

/** A pasted signature. */
export interface ReadSignature {
  /** 32 bytes, not verified. */
  readonly bytes: Buffer;
  /** Deviations from the form of `x-signature`. */
  readonly forms: readonly SignatureForm[];
}

const PREFIX = /^(?:(?:x-signature|signature|hmac[-_]?sha-?256|sha-?256|v\d)\s*[=:]\s*|0x)/i;
const HEX = /^[0-9a-f]{64}$/i;
/** 32 bytes are 43 characters of base64 and one of padding, which some libraries omit. */
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Reads a signature in its usual forms: hexadecimal or base64, in upper or lower case, with blanks around it or a prefix such
 * as `sha256=`.
 * @returns null for any other text
 */
export function readSignature(text: string): ReadSignature | null {
  const trimmed = text.trim();
  // Base64 can begin like a prefix.
  const bare = BASE64.test(trimmed) ? trimmed : trimmed.replace(PREFIX, '');
  const isHex = HEX.test(bare);
  if (!isHex && !BASE64.test(bare)) return null;
  const forms: SignatureForm[] = [];
  if (trimmed !== text) forms.push('signature_blanks');
  if (bare !== trimmed) forms.push('signature_prefix');
  if (!isHex) forms.push('signature_base64');
  else if (bare !== bare.toLowerCase()) forms.push('signature_upper_case');
  return { bytes: Buffer.from(bare, isHex ? 'hex' : 'base64'), forms };
}
