import { Redacted } from './redacted.js';

/** Decrypted secrets that sign and authorise the requests to a consumer. */
export interface CredentialValues {
  /** HMAC key of `x-signature`; its UTF-8 bytes are used. */
  readonly signingSecret: string;
  /** Basic user-id; see `checkUsername`. */
  readonly username: string;
  readonly password: string;
  /** PEM with certificate chain and private key, for consumers that ask for mutual TLS. */
  readonly clientCertificate?: string | undefined;
}

/** {@link CredentialValues} that can be read by name, but not printed, serialised or spread. */
export interface Credentials extends CredentialValues {
  toJSON(): string;
  toString(): string;
}

/** Wraps values so that they cannot be logged by accident. */
export function createCredentials(values: CredentialValues): Credentials {
  return new ConsumerCredentials(values);
}

class ConsumerCredentials extends Redacted implements Credentials {
  readonly #values: CredentialValues;

  constructor({ signingSecret, username, password, clientCertificate }: CredentialValues) {
    super();
    this.#values = { signingSecret, username, password, clientCertificate };
  }

  get signingSecret(): string {
    return this.#values.signingSecret;
  }

  get username(): string {
    return this.#values.username;
  }

  get password(): string {
    return this.#values.password;
  }

  get clientCertificate(): string | undefined {
    return this.#values.clientCertificate;
  }
}

/** Returns the plain text to be encrypted. */
export function serialiseCredentials(values: CredentialValues): Uint8Array {
  const { signingSecret, username, password, clientCertificate } = values;
  return Buffer.from(JSON.stringify({ signingSecret, username, password, clientCertificate }));
}

/** The inverse of {@link serialiseCredentials}; null for any other bytes. */
export function parseCredentials(bytes: Uint8Array): Credentials | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return null;
  }
  return isCredentialValues(value) ? createCredentials(value) : null;
}

function isCredentialValues(value: unknown): value is CredentialValues {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const certificate = fields.get('clientCertificate');
  return (
    ['signingSecret', 'username', 'password'].every((name) => typeof fields.get(name) === 'string') &&
    (certificate === undefined || typeof certificate === 'string')
  );
}
