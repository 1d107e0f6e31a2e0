import {
  CompactEncrypt,
  compactDecrypt,
  decodeProtectedHeader,
  errors,
  type ProtectedHeaderParameters,
} from 'jose';
import {
  parseCredentials,
  serialiseCredentials,
  type Credentials,
  type CredentialValues,
} from './credentials.js';
import type { Keyring } from './keyring.js';
import { UndecryptableError } from './undecryptable-error.js';

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

/** Whose credentials they are. Sealed into the protected header, so that one row cannot stand in for another. */
export interface CredentialOwner {
  readonly consumerId: string;
  readonly version: number;
}

export interface Vault {
  /** Seals with the newest key. @returns a compact JWE (RFC 7516): `dir`, `A256GCM`, `kid` and owner in its header. */
  seal(owner: CredentialOwner, values: CredentialValues): Promise<string>;
  /** @throws UndecryptableError when the key is unknown, the owner another, or the JWE not what was sealed. */
  open(owner: CredentialOwner, jwe: string): Promise<Credentials>;
  /** Whether a JWE was sealed with another key than the newest, and should be sealed anew. Opens nothing. */
  isOutdated(jwe: string): boolean;
}

/** The only place that sees a consumer's secrets in the clear. */
export function createVault(keyring: Keyring): Vault {
  return {
    seal(owner, values) {
      return new CompactEncrypt(serialiseCredentials(values))
        .setProtectedHeader({
          alg: ALGORITHM,
          enc: ENCRYPTION,
          kid: keyring.newest.kid,
          consumerId: owner.consumerId,
          version: owner.version,
        })
        .encrypt(keyring.newest.bytes);
    },

    async open(owner, jwe) {
      const header = readHeader(jwe);
      const kid = header?.kid ?? null;
      const key = kid === null ? undefined : keyring.keys.get(kid);
      if (header === null || kid === null) {
        throw new UndecryptableError(
          'tampered',
          null,
          owner,
          'the stored value is no JWE; issue new credentials',
        );
      }
      if (key === undefined) {
        const advice = `add that key to the keyring (it has ${[...keyring.keys.keys()].join(', ')}) or issue new credentials`;
        throw new UndecryptableError('unknown_key', kid, owner, advice);
      }
      const plaintext = await decrypt(jwe, key.bytes);
      const credentials = plaintext === null ? null : parseCredentials(plaintext);
      if (credentials === null) {
        const advice = 'it was altered, or the key under that id is another one now; restore either';
        throw new UndecryptableError('tampered', kid, owner, advice);
      }
      // The header is authenticated with the ciphertext: only now is it to be believed.
      if (header['consumerId'] !== owner.consumerId || header['version'] !== owner.version) {
        const advice = 'they were sealed for another consumer or version; restore the row';
        throw new UndecryptableError('wrong_owner', kid, owner, advice);
      }
      return credentials;
    },

    isOutdated: (jwe) => readHeader(jwe)?.kid !== keyring.newest.kid,
  };
}

function readHeader(jwe: string): ProtectedHeaderParameters | null {
  try {
    return decodeProtectedHeader(jwe);
  } catch {
    return null;
  }
}

/** The plain text, or null when the JWE does not hold under this key. Faults of the machine are thrown. */
async function decrypt(jwe: string, key: Uint8Array): Promise<Uint8Array | null> {
  try {
    const { plaintext } = await compactDecrypt(jwe, key, {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
    });
    return plaintext;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
