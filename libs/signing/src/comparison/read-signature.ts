/** How a signature is written when it is not written as `x-signature` is: 64 lower-case hexadecimal characters. */
export const SIGNATURE_FORMS = [
  'signature_blanks',
  'signature_prefix',
  'signature_upper_case',
  'signature_base64',
] as const;
export type SignatureForm = (typeof SIGNATURE_FORMS)[number];

/** A signature as somebody has pasted it. */
export interface ReadSignature {
  /** 32 bytes, of which nothing is known yet. */
  readonly bytes: Buffer;
  /** What differs from the form of `x-signature`. */
  readonly forms: readonly SignatureForm[];
}

const PREFIX = /^(?:(?:x-signature|signature|hmac[-_]?sha-?256|sha-?256|v\d)\s*[=:]\s*|0x)/i;
const HEX = /^[0-9a-f]{64}$/i;
/** 32 bytes are 43 characters of base64 and one of padding, which some libraries leave out. */
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Reads a signature in the forms that occur: hexadecimal or base64, in capitals or not, with blanks around it or a
 * prefix such as `sha256=`.
 * @returns null for any other text
 */
export function readSignature(text: string): ReadSignature | null {
  const trimmed = text.trim();
  // Base64 may begin like a prefix.
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
