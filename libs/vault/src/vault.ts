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

/** The owner of credentials. The authenticated header contains it, so that one row cannot replace another. */
export interface CredentialOwner {
  readonly consumerId: string;
  readonly version: number;
}

export interface Vault {
  /** Encrypts with the newest key. @returns a compact JWE (RFC 7516): `dir`, `A256GCM`, `kid` and owner in its header. */
  seal(owner: CredentialOwner, values: CredentialValues): Promise<string>;
  /** @throws UndecryptableError when the key is unknown, the JWE has another owner, or it was altered */
  open(owner: CredentialOwner, jwe: string): Promise<Credentials>;
  /**
   * Encrypts the content of a JWE again with the newest key; plain text and the rest of the header stay the same.
   * @returns the new JWE, or null when the newest key encrypted it
   * @throws UndecryptableError like `open`, also for a JWE with the newest key's id
   */
  reseal(owner: CredentialOwner, jwe: string): Promise<string | null>;
  /** The key id in a JWE's header, not authenticated; null for any other text. */
  keyIdOf(jwe: string): string | null;
}

/** Encrypts and decrypts consumers' secrets; no other code does. */
export function createVault(keyring: Keyring): Vault {
  const { newest } = keyring;
  return {
    seal(owner, values) {
      const { consumerId, version } = owner;
      const header = { alg: ALGORITHM, enc: ENCRYPTION, kid: newest.kid, consumerId, version };
      return encrypt(serialiseCredentials(values), header, newest.bytes);
    },

    async open(owner, jwe) {
      const { kid, plaintext } = await unseal(keyring, owner, jwe);
      const credentials = parseCredentials(plaintext);
      if (credentials === null) throw alteredError(kid, owner);
      return credentials;
    },

    async reseal(owner, jwe) {
      const { kid, header, plaintext } = await unseal(keyring, owner, jwe);
      return kid === newest.kid ? null : encrypt(plaintext, { ...header, kid: newest.kid }, newest.bytes);
    },

    keyIdOf: (jwe) => readHeader(jwe)?.kid ?? null,
  };
}

type Header = ProtectedHeaderParameters & { readonly alg: string; readonly enc: string };

interface Unsealed {
  readonly kid: string;
  readonly header: Header;
  readonly plaintext: Uint8Array;
}

async function unseal(keyring: Keyring, owner: CredentialOwner, jwe: string): Promise<Unsealed> {
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
  if (plaintext === null) throw alteredError(kid, owner);
  // The header is authenticated with the ciphertext: it is trusted only after decryption.
  if (header['consumerId'] !== owner.consumerId || header['version'] !== owner.version) {
    const advice = 'they were sealed for another consumer or version; restore the row';
    throw new UndecryptableError('wrong_owner', kid, owner, advice);
  }
  return { kid, header: { ...header, alg: ALGORITHM, enc: ENCRYPTION }, plaintext };
}

function alteredError(kid: string, owner: CredentialOwner): UndecryptableError {
  const advice = 'it was altered, or the key under that id is another one now; restore either';
  return new UndecryptableError('tampered', kid, owner, advice);
}

function encrypt(plaintext: Uint8Array, header: Header, key: Uint8Array): Promise<string> {
  return new CompactEncrypt(plaintext).setProtectedHeader(header).encrypt(key);
}

function readHeader(jwe: string): ProtectedHeaderParameters | null {
  try {
    return decodeProtectedHeader(jwe);
  } catch {
    return null;
  }
}

/** The plain text, or null when the JWE is invalid under this key. System errors are thrown. */
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
