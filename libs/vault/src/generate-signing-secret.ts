import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and 256 random bits in base64url, 49 characters. Shown once, then encrypted. */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}
