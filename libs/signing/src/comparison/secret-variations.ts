import type { CredentialState } from '#libs/contracts';
import type { Variation, VariationCode } from './variation.js';

/** A current, former or coming signing secret of the consumer. */
export interface KnownSecret {
  readonly version: number;
  readonly state: CredentialState;
  readonly secret: string;
}

/** The key that the dispatcher uses: the secret's UTF-8 bytes. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret, 'utf8');

const HEX = /^(?:[0-9a-f]{2})+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Prefix of generated secrets; libraries that decode a secret remove it. */
const PREFIX = /^whsec_/;

const ENCODINGS: readonly [VariationCode, string, (secret: string) => Buffer | null][] = [
  [
    'secret_trailing_break',
    'The consumer’s secret ends with a line break (LF) that was copied with it.',
    (secret) => keyOf(`${secret}\n`),
  ],
  [
    'secret_trailing_break',
    'The consumer’s secret ends with a line break (CR LF) that was copied with it.',
    (secret) => keyOf(`${secret}\r\n`),
  ],
  [
    'secret_from_hex',
    'The consumer decodes the secret from hexadecimal; its UTF-8 bytes are the key as they are.',
    (secret) => (HEX.test(secret) ? Buffer.from(secret, 'hex') : null),
  ],
  [
    'secret_from_base64',
    'The consumer decodes the secret from base64; its UTF-8 bytes are the key as they are.',
    (secret) => (BASE64.test(secret) ? Buffer.from(secret, 'base64') : null),
  ],
  [
    'secret_from_base64',
    'The consumer cuts off “whsec_” and decodes the rest of the secret from base64; the whole secret’s UTF-8 bytes are the key.',
    (secret) =>
      PREFIX.test(secret) && BASE64.test(secret.replace(PREFIX, ''))
        ? Buffer.from(secret.replace(PREFIX, ''), 'base64')
        : null,
  ],
];

const STATES = { current: 'in force', coming: 'not yet in force', former: 'no longer in force' } as const;

/** Other versions of the secret, then other keys derived from the secret of a version. */
export function secretVariations(secrets: readonly KnownSecret[]): Variation[] {
  const others = secrets.map(({ version, state, secret }): Variation => ({
    code: 'other_version',
    alternativeTo: 'version',
    vary: (signed) =>
      signed.version === version
        ? null
        : {
            signed: { ...signed, version, key: keyOf(secret) },
            words: `The consumer signs with the secret of version ${String(version)}, which is ${STATES[state]}.`,
          },
  }));
  const encodings = ENCODINGS.map(([code, words, decode]): Variation => ({
    code,
    alternativeTo: 'key',
    vary: (signed) => {
      const secret = secrets.find(({ version }) => version === signed.version)?.secret;
      const key = secret === undefined ? null : decode(secret);
      return key === null ? null : { signed: { ...signed, key }, words };
    },
  }));
  return [...others, ...encodings];
}
