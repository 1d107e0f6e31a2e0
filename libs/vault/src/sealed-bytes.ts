import {
  CompactEncrypt,
  compactDecrypt,
  decodeProtectedHeader,
  errors,
  type ProtectedHeaderParameters,
} from 'jose';
import type { Keyring } from './keyring.js';
import { UndecryptableError } from './undecryptable-error.js';

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

/** The row that a secret belongs to. */
export interface SealedOwner {
  /** The authenticated header contains these, so that one row cannot replace another. */
  readonly claims: Readonly<Record<string, string | number>>;
  /** What is sealed, for error messages, such as `credentials 3 of consumer 0199…`. */
  readonly what: string;
}

/** Encrypts with the newest key. @returns a compact JWE (RFC 7516): `dir`, `A256GCM`, `kid` and the claims in its header */
export function sealBytes({ newest }: Keyring, { claims }: SealedOwner, bytes: Uint8Array): Promise<string> {
  return encrypt(bytes, { alg: ALGORITHM, enc: ENCRYPTION, kid: newest.kid, ...claims }, newest.bytes);
}

/** @throws UndecryptableError when the key is unknown, the JWE has another owner, or it was altered */
export async function openBytes(
  keyring: Keyring,
  owner: SealedOwner,
  jwe: string,
): Promise<{ kid: string; bytes: Uint8Array }> {
  const { kid, plaintext } = await unseal(keyring, owner, jwe);
  return { kid, bytes: plaintext };
}

/**
 * Encrypts the content of a JWE again with the newest key; plain text and the rest of the header stay the same.
 * @returns the new JWE, or null when the newest key encrypted it
 * @throws UndecryptableError like `openBytes`, also for a JWE with the newest key's id
 */
export async function resealBytes(keyring: Keyring, owner: SealedOwner, jwe: string): Promise<string | null> {
  const { newest } = keyring;
  const { kid, header, plaintext } = await unseal(keyring, owner, jwe);
  return kid === newest.kid ? null : encrypt(plaintext, { ...header, kid: newest.kid }, newest.bytes);
}

/** The key id in a JWE's header, not authenticated; null for any other text. */
export const keyIdOf = (jwe: string): string | null => readHeader(jwe)?.kid ?? null;

/** The secret was altered, or the key under its id has changed. */
export function alteredError(kid: string, owner: SealedOwner): UndecryptableError {
  const advice = 'it was altered, or the key under that id is another one now; restore either';
  return new UndecryptableError('tampered', kid, owner.what, advice);
}

type Header = ProtectedHeaderParameters & { readonly alg: string; readonly enc: string };

interface Unsealed {
  readonly kid: string;
  readonly header: Header;
  readonly plaintext: Uint8Array;
}

async function unseal(keyring: Keyring, owner: SealedOwner, jwe: string): Promise<Unsealed> {
  const header = readHeader(jwe);
  const kid = header?.kid ?? null;
  const key = kid === null ? undefined : keyring.keys.get(kid);
  if (header === null || kid === null) {
    throw new UndecryptableError(
      'tampered',
      null,
      owner.what,
      'the stored value is no JWE; issue new credentials',
    );
  }
  if (key === undefined) {
    const advice = `add that key to the keyring (it has ${[...keyring.keys.keys()].join(', ')}) or issue new credentials`;
    throw new UndecryptableError('unknown_key', kid, owner.what, advice);
  }
  const plaintext = await decrypt(jwe, key.bytes);
  if (plaintext === null) throw alteredError(kid, owner);
  // The header is authenticated with the ciphertext: it is trusted only after decryption.
  if (Object.entries(owner.claims).some(([name, value]) => header[name] !== value)) {
    const advice = 'they were sealed for another consumer or version; restore the row';
    throw new UndecryptableError('wrong_owner', kid, owner.what, advice);
  }
  return { kid, header: { ...header, alg: ALGORITHM, enc: ENCRYPTION }, plaintext };
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
