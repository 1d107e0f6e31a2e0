import type { Keyring } from './keyring.js';
import {
  alteredError,
  keyIdOf,
  openBytes,
  resealBytes,
  sealBytes,
  type SealedOwner,
} from './sealed-bytes.js';
import { Redacted } from './redacted.js';

/** The secrets of a notification channel; which ones depends on its kind. */
export interface ChannelSecretValues {
  /** Where messages are posted: the URL of an incoming webhook is a secret. */
  readonly url?: string | undefined;
  /** HMAC key of a signed webhook. */
  readonly signingSecret?: string | undefined;
  /** Integration key of a PagerDuty service. */
  readonly routingKey?: string | undefined;
}

/** Values that can be read by name, but not printed, serialised or spread. */
export class ChannelSecrets extends Redacted implements ChannelSecretValues {
  readonly #values: ChannelSecretValues;

  constructor({ url, signingSecret, routingKey }: ChannelSecretValues) {
    super();
    this.#values = { url, signingSecret, routingKey };
  }

  get url(): string | undefined {
    return this.#values.url;
  }

  get signingSecret(): string | undefined {
    return this.#values.signingSecret;
  }

  get routingKey(): string | undefined {
    return this.#values.routingKey;
  }
}

/** Encrypts and decrypts channels' secrets with the keys of SECRETS_KEYRING. */
export interface ChannelVault {
  seal(channelId: string, values: ChannelSecretValues): Promise<string>;
  /** @throws UndecryptableError when the key is unknown, the JWE is another channel's, or it was altered */
  open(channelId: string, jwe: string): Promise<ChannelSecrets>;
  /** @returns the JWE encrypted with the newest key, or null when it is already; throws like `open` */
  reseal(channelId: string, jwe: string): Promise<string | null>;
  keyIdOf(jwe: string): string | null;
}

export function createChannelVault(keyring: Keyring): ChannelVault {
  return {
    seal(channelId, { url, signingSecret, routingKey }) {
      const bytes = Buffer.from(JSON.stringify({ url, signingSecret, routingKey }));
      return sealBytes(keyring, ownerOf(channelId), bytes);
    },

    async open(channelId, jwe) {
      const { kid, bytes } = await openBytes(keyring, ownerOf(channelId), jwe);
      const values = parse(bytes);
      if (values === null) throw alteredError(kid, ownerOf(channelId));
      return new ChannelSecrets(values);
    },

    reseal: (channelId, jwe) => resealBytes(keyring, ownerOf(channelId), jwe),
    keyIdOf,
  };
}

const ownerOf = (channelId: string): SealedOwner => ({
  claims: { channelId },
  what: `the secrets of channel ${channelId}`,
});

/** Null for anything but an object whose named fields are texts. */
function parse(bytes: Uint8Array): ChannelSecretValues | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (name: string): string | undefined => {
    const field = fields.get(name);
    return typeof field === 'string' ? field : undefined;
  };
  return { url: text('url'), signingSecret: text('signingSecret'), routingKey: text('routingKey') };
}
