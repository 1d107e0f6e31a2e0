import { Redacted } from './redacted.js';

const KEY_BYTES = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;

/** One AES-256 key. Its bytes are never printed. */
export class KeyringKey extends Redacted {
  readonly #bytes: Uint8Array;

  constructor(
    readonly kid: string,
    bytes: Uint8Array,
  ) {
    super();
    this.#bytes = bytes;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }
}

/** The keys that decrypt credentials; `newest` encrypts. */
export interface Keyring {
  readonly newest: KeyringKey;
  readonly keys: ReadonlyMap<string, KeyringKey>;
}

export type ParsedKeyring =
  | { readonly ok: true; readonly keyring: Keyring }
  /** Each fault names the entry by its position or key id, without key material. */
  | { readonly ok: false; readonly faults: readonly string[] };

/**
 * Reads a keyring from the environment: `kid:base64,…`, newest first. Each key is 32 bytes in base64 (RFC 4648, section 4,
 * padded). Each `kid` is unique and has 1 to 32 characters of `A-Z a-z 0-9 _ -`.
 *
 * @returns the keyring, or all faults at once.
 */
export function parseKeyring(text: string): ParsedKeyring {
  const keys = new Map<string, KeyringKey>();
  const faults: string[] = [];
  for (const [index, entry] of text.split(',').entries()) {
    const [kid = '', encoded = '', ...rest] = entry.trim().split(':');
    const fault = rest.length > 0 ? 'must be kid:base64' : (faultOf(kid, encoded) ?? repeated(keys, kid));
    if (fault === null) keys.set(kid, new KeyringKey(kid, Buffer.from(encoded, 'base64')));
    else faults.push(`key ${index + 1} ${fault}`);
  }
  const [newest] = keys.values();
  if (faults.length > 0 || newest === undefined) return { ok: false, faults };
  return { ok: true, keyring: { newest, keys } };
}

function faultOf(kid: string, encoded: string): string | null {
  if (!KEY_ID.test(kid)) return 'needs an id of 1 to 32 letters, digits, _ or - before the colon';
  const bytes = Buffer.from(encoded, 'base64');
  // Node skips invalid characters; encoding the bytes again shows whether it did.
  if (bytes.toString('base64') !== encoded || bytes.length !== KEY_BYTES) {
    return `(${kid}) must be ${KEY_BYTES} bytes in base64; make one with: openssl rand -base64 ${KEY_BYTES}`;
  }
  return null;
}

function repeated(keys: ReadonlyMap<string, KeyringKey>, kid: string): string | null {
  return keys.has(kid) ? `(${kid}) repeats the id of another key` : null;
}

/** @throws Error with SECRETS_KEYRING and all its faults, without keys */
export function readKeyring(text: string): Keyring {
  const parsed = parseKeyring(text);
  if (!parsed.ok) throw new Error(`SECRETS_KEYRING ${parsed.faults.join('; ')}`);
  return parsed.keyring;
}
