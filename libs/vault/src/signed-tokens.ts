import { hkdf } from 'node:crypto';
import { promisify } from 'node:util';
import { jwtVerify, SignJWT } from 'jose';
import type { Keyring, KeyringKey } from './keyring.js';

const ALGORITHM = 'HS256';
const KEY_BYTES = 32;

/** Signed tokens that the dispatcher issues and verifies; their content is not encrypted. */
export interface SignedTokens {
  /** Signs with the newest key. @returns a compact JWS (RFC 7515) that is valid for the lifetime. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** @returns the claims, or null for a foreign or expired token, or one whose key is no longer in the ring */
  verify(token: string): Promise<Readonly<Record<string, unknown>> | null>;
}

/**
 * Tokens signed with keys derived from the keyring (HKDF, RFC 5869, with the purpose as its info): every process with the same
 * keyring accepts them, a token is valid for one purpose only, and the keyring's keys themselves sign nothing.
 */
export function createSignedTokens(
  keyring: Keyring,
  options: { readonly purpose: string; readonly lifetimeSeconds: number },
): SignedTokens {
  const { purpose, lifetimeSeconds } = options;
  const derive = async (key: KeyringKey): Promise<Uint8Array> =>
    new Uint8Array(await promisify(hkdf)('sha256', key.bytes, '', purpose, KEY_BYTES));

  return {
    async sign(claims) {
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: ALGORITHM, kid: keyring.newest.kid })
        .setIssuedAt()
        .setExpirationTime(`${String(lifetimeSeconds)}s`)
        .sign(await derive(keyring.newest));
    },

    async verify(token) {
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid = '' }) => {
            const key = keyring.keys.get(kid);
            if (key === undefined) throw new Error('unknown key');
            return derive(key);
          },
          { algorithms: [ALGORITHM], requiredClaims: ['exp'] },
        );
        return payload;
      } catch {
        return null;
      }
    },
  };
}
