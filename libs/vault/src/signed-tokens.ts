import { hkdf } from 'node:crypto';
import { promisify } from 'node:util';
import { jwtVerify, SignJWT } from 'jose';
import type { Keyring, KeyringKey } from './keyring.js';

const ALGORITHM = 'HS256';
const KEY_BYTES = 32;

/** Statements that we sign and believe later; anybody who holds one can read it. */
export interface SignedTokens {
  /** Signs with the newest key. @returns a compact JWS (RFC 7515) that holds for the lifetime. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** @returns the claims, or null when the token is not ours, has run out, or its key has left the ring */
  verify(token: string): Promise<Readonly<Record<string, unknown>> | null>;
}

/**
 * Tokens signed under keys that are derived from the keyring's (HKDF, RFC 5869, with the purpose as its info): every
 * process with the same ring agrees, a token for one purpose is none for another, and the keys themselves sign nothing.
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
