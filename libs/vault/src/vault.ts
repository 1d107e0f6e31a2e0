import {
  parseCredentials,
  serialiseCredentials,
  type Credentials,
  type CredentialValues,
} from './credentials.js';
import type { Keyring } from './keyring.js';
import {
  alteredError,
  keyIdOf,
  openBytes,
  resealBytes,
  sealBytes,
  type SealedOwner,
} from './sealed-bytes.js';

/** The owner of credentials. */
export interface CredentialOwner {
  readonly consumerId: string;
  readonly version: number;
}

export interface Vault {
  /** Encrypts with the newest key. @returns a compact JWE */
  seal(owner: CredentialOwner, values: CredentialValues): Promise<string>;
  /** @throws UndecryptableError when the key is unknown, the JWE has another owner, or it was altered */
  open(owner: CredentialOwner, jwe: string): Promise<Credentials>;
  /**
   * Encrypts the content of a JWE again with the newest key.
   * @returns the new JWE, or null when the newest key encrypted it
   * @throws UndecryptableError like `open`, also for a JWE with the newest key's id
   */
  reseal(owner: CredentialOwner, jwe: string): Promise<string | null>;
  /** The key id in a JWE's header, not authenticated; null for any other text. */
  keyIdOf(jwe: string): string | null;
}

/** Encrypts and decrypts consumers' secrets; no other code does. */
export function createVault(keyring: Keyring): Vault {
  return {
    seal: (owner, values) => sealBytes(keyring, sealedOwner(owner), serialiseCredentials(values)),

    async open(owner, jwe) {
      const { kid, bytes } = await openBytes(keyring, sealedOwner(owner), jwe);
      const credentials = parseCredentials(bytes);
      if (credentials === null) throw alteredError(kid, sealedOwner(owner));
      return credentials;
    },

    reseal: (owner, jwe) => resealBytes(keyring, sealedOwner(owner), jwe),
    keyIdOf,
  };
}

const sealedOwner = ({ consumerId, version }: CredentialOwner): SealedOwner => ({
  claims: { consumerId, version },
  what: `credentials ${String(version)} of consumer ${consumerId}`,
});
