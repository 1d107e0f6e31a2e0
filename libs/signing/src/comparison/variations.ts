import type { CredentialState } from '#libs/contracts';
import { VERB, type SignedParts } from '../sign-notification.js';
import { difference, type Difference, type VariationCode } from './differences.js';
import type { ReadSignature } from './read-signature.js';
import { compact, escaped, indented, rewritten, sorted, spaced } from './rewritten-body.js';

/** A current, former or coming signing secret of the consumer. */
export interface KnownSecret {
  readonly version: number;
  readonly state: CredentialState;
  readonly secret: string;
}

/** A signature of a consumer, and the text that it reports to have signed. */
export interface GivenSignature {
  readonly signature: ReadSignature;
  readonly parts: SignedParts;
  /** The URL that the dispatcher requests and signs now. */
  readonly registeredUrl: string;
  /** The bytes of the notification that the body names; null when it is not one of the consumer's. */
  readonly bodyAsSent: string | null;
  /** The version to compare with, one of `secrets`. */
  readonly credentialVersion: number;
  readonly secrets: readonly KnownSecret[];
}

/** The parts of the text that is signed (specification, "Authentication", 3). */
type SignedPart = 'verb' | 'url' | 'body' | 'timestamp';

/** A text with its key, as a consumer may have signed it. */
export interface SignedText extends Readonly<Record<SignedPart, string>> {
  readonly order: readonly SignedPart[];
  readonly key: { readonly version: number; readonly bytes: Buffer };
}

/** One variation of a signed text, which changes one of its fields. */
export interface Variation {
  readonly field: keyof SignedText;
  readonly difference: Difference;
  /** @returns null when it does not apply or changes nothing */
  readonly vary: (signed: SignedText) => SignedText | null;
}

const ORDER: readonly SignedPart[] = ['verb', 'url', 'body', 'timestamp'];
const BYTE_ORDER_MARK = '\uFEFF';

/** The text as given, signed as the dispatcher signs: with the UTF-8 bytes of the secret as the key. */
export function givenText({ parts, secrets, credentialVersion }: GivenSignature): SignedText | null {
  const known = secrets.find(({ version }) => version === credentialVersion);
  if (known === undefined) return null;
  const { url, body, timestamp } = parts;
  return { verb: VERB, url, body, timestamp, order: ORDER, key: keyOf(known) };
}

const keyOf = ({ version, secret }: KnownSecret): SignedText['key'] => ({
  version,
  bytes: Buffer.from(secret, 'utf8'),
});

/** A variation of one part of the text. */
const part = (
  code: VariationCode,
  field: SignedPart,
  change: (text: string) => string | null,
  detail?: string,
): Variation => ({
  field,
  difference: difference(code, detail),
  vary: (signed) => {
    const changed = change(signed[field]);
    return changed === null || changed === signed[field] ? null : { ...signed, [field]: changed };
  },
});

/**
 * How consumers, their frameworks, editors and proxies change URL, body, secret and text: the likeliest first, since the search
 * stops at the first match. The order is also that of two combined changes, such as rewriting a body and then adding to it.
 */
export const variationsOf = ({ registeredUrl, bodyAsSent, secrets }: GivenSignature): Variation[] => [
  part('url_registered', 'url', () => registeredUrl),
  part('url_canonical', 'url', (url) => URL.parse(url)?.href ?? null),
  urlPart('url_without_query', () => ({ query: '' })),
  urlPart('url_slash', ({ path }) => ({ path: path.endsWith('/') ? path.slice(0, -1) : `${path}/` })),
  urlPart('url_scheme', ({ scheme }) => ({ scheme: isTls(scheme) ? 'http://' : 'https://' })),
  urlPart('url_host_case', ({ host }) => ({ host: host.toUpperCase() })),
  urlPart('url_default_port', ({ scheme, host }) => ({ host: withDefaultPort(scheme, host) })),
  urlPart('url_path_only', ({ path }) => ({ scheme: '', host: '', path: path === '' ? '/' : path })),
  part('body_as_sent', 'body', () => bodyAsSent),
  part('body_trimmed', 'body', (body) => body.trim()),
  part('body_compact', 'body', rewritten(compact)),
  part('body_keys_sorted', 'body', rewritten(sorted)),
  part('body_spaced', 'body', rewritten(spaced)),
  part('body_indented', 'body', rewritten(indented(2)), '2'),
  part('body_indented', 'body', rewritten(indented(4)), '4'),
  part('body_escaped', 'body', escaped),
  part('body_trailing_blank', 'body', (body) => `${body} `),
  part('body_trailing_break', 'body', (body) => `${body}\n`, 'LF'),
  part('body_trailing_break', 'body', (body) => `${body}\r\n`, 'CR LF'),
  part('body_byte_order_mark', 'body', (body) =>
    body.startsWith(BYTE_ORDER_MARK) ? null : BYTE_ORDER_MARK + body,
  ),
  ...secrets.map(otherVersion),
  otherKey(secrets, 'secret_trailing_break', (secret) => `${secret}\n`, 'LF'),
  otherKey(secrets, 'secret_trailing_break', (secret) => `${secret}\r\n`, 'CR LF'),
  otherKey(secrets, 'secret_from_hex', fromHex),
  otherKey(secrets, 'secret_from_base64', fromBase64),
  // Libraries that decode a generated secret remove its prefix.
  otherKey(
    secrets,
    'secret_from_base64',
    (secret) => (secret.startsWith('whsec_') ? fromBase64(secret.slice(6)) : null),
    ' without its “whsec_”',
  ),
  part('timestamp_milliseconds', 'timestamp', (timestamp) => `${timestamp}000`),
  part('timestamp_seconds', 'timestamp', (timestamp) =>
    timestamp.length > 3 ? timestamp.slice(0, -3) : null,
  ),
  part('verb_lower_case', 'verb', (verb) => verb.toLowerCase()),
  part('verb_missing', 'verb', () => ''),
  ...ordersOf(ORDER).slice(1).map(otherOrder),
];

interface UrlParts {
  /** With its slashes. */
  readonly scheme: string;
  /** With its port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** A variation of some parts of the URL; it does not apply to a text that is not an http URL. */
const urlPart = (code: VariationCode, change: (parts: UrlParts) => Partial<UrlParts>): Variation =>
  part(code, 'url', (url) => {
    const found = /^(https?:\/\/)([^/?]*)([^?]*)(\?.*)?$/is.exec(url);
    if (found === null) return null;
    const [, scheme = '', host = '', path = '', query = ''] = found;
    const parts = { scheme, host, path, query };
    return Object.values({ ...parts, ...change(parts) }).join('');
  });

const isTls = (scheme: string): boolean => scheme.toLowerCase() === 'https://';
const withDefaultPort = (scheme: string, host: string): string =>
  /:\d*$/.test(host) ? host : host + (isTls(scheme) ? ':443' : ':80');

const STATES = { current: 'in force', coming: 'not yet in force', former: 'no longer in force' } as const;

const otherVersion = (known: KnownSecret): Variation => ({
  field: 'key',
  difference: difference('other_version', `${String(known.version)}, which is ${STATES[known.state]}`),
  vary: (signed) => (signed.key.version === known.version ? null : { ...signed, key: keyOf(known) }),
});

/** Another key from the secret of the version in question. */
function otherKey(
  secrets: readonly KnownSecret[],
  code: VariationCode,
  decode: (secret: string) => string | Buffer | null,
  detail?: string,
): Variation {
  return {
    field: 'key',
    difference: difference(code, detail),
    vary: (signed) => {
      const { version } = signed.key;
      const key = decode(secrets.find((known) => known.version === version)?.secret ?? '');
      return key === null ? null : { ...signed, key: { version, bytes: Buffer.from(key) } };
    },
  };
}

const fromHex = (secret: string): Buffer | null =>
  /^(?:[0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : null;
const fromBase64 = (secret: string): Buffer | null =>
  /^[A-Za-z0-9+/_-]+={0,2}$/.test(secret) ? Buffer.from(secret, 'base64') : null;

const NAMES = { verb: 'verb', url: 'URL', body: 'body', timestamp: 'timestamp' } as const;

/** Every order of these parts, the given one first. */
const ordersOf = (parts: readonly SignedPart[]): SignedPart[][] =>
  parts.length <= 1
    ? [[...parts]]
    : parts.flatMap((first) =>
        ordersOf(parts.filter((other) => other !== first)).map((rest) => [first, ...rest]),
      );

const otherOrder = (order: readonly SignedPart[]): Variation => ({
  field: 'order',
  difference: difference('parts_order', order.map((name) => NAMES[name]).join(', ')),
  vary: (signed) => ({ ...signed, order }),
});
