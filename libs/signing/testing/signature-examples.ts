import { createHmac } from 'node:crypto';
import type { VariationCode } from '../src/comparison/variation.js';

export const OLD = 'whsec_b2xkIHNlY3JldCBvZiB0ZXN0cw';
export const NOW = '6465616462656566636166656261626530';
export const COMING = 'the coming secret, ünïcode';
export const SECRETS = [
  { version: 3, state: 'coming', secret: COMING },
  { version: 2, state: 'current', secret: NOW },
  { version: 1, state: 'former', secret: OLD },
] as const;
export const REGISTERED = 'https://consumer.example/ach-payments-api/v1/hook?tenant=a';
/** A sent body: compact, keys not sorted, with a non-ASCII character. */
export const BODY = '{"notificationId":"n","data":{"b":"Müller","a":[true,"x"]}}';

export interface Text {
  readonly verb: string;
  readonly url: string;
  readonly body: string;
  readonly timestamp: string;
}
export const TEXT: Text = { verb: 'POST', url: REGISTERED, body: BODY, timestamp: '1700000000' };

/** A consumer's signature, computed independently. */
export const sign = ({ verb, url, body, timestamp }: Text, key: string | Buffer = NOW): string =>
  createHmac('sha256', key)
    .update(verb + url + body + timestamp)
    .digest('hex');

/** A consumer whose signed text or key differs from the pasted text; `pasted` is `TEXT` by default. */
export interface SignatureExample {
  readonly code: VariationCode;
  readonly signature: (text: Text) => string;
  readonly pasted?: (text: Text) => Text;
  readonly bodyAsSent?: string;
  readonly version?: number;
}
const withBody = (change: (body: string) => string) => (text: Text) => ({ ...text, body: change(text.body) });
const withUrl = (change: (url: string) => string) => (text: Text) => ({ ...text, url: change(text.url) });
const pretty = withBody((body) => JSON.stringify(JSON.parse(body), null, 3));

const escapedToAscii = (text: string): string =>
  text
    .split('')
    .map((unit) => (unit < '\u0080' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))
    .join('');

export const SIGNATURE_EXAMPLES: readonly SignatureExample[] = [
  { code: 'url_registered', signature: sign, pasted: withUrl(() => 'https://other.example/') },
  {
    code: 'url_canonical',
    signature: (text) => sign(withUrl((url) => url.replace('consumer', 'other'))(text)),
    pasted: withUrl((url) => url.replace('consumer.example', 'Other.Example:443')),
  },
  { code: 'url_slash', signature: (text) => sign(withUrl((url) => url.replace('?', '/?'))(text)) },
  {
    code: 'url_slash',
    signature: (text) => sign(withUrl(() => 'https://other.example/hook')(text)),
    pasted: withUrl(() => 'https://other.example/hook/'),
  },
  { code: 'url_scheme', signature: (text) => sign(withUrl((url) => url.replace('https', 'http'))(text)) },
  {
    code: 'url_host_case',
    signature: (text) => sign(withUrl((url) => url.replace('consumer.example', 'CONSUMER.EXAMPLE'))(text)),
  },
  {
    code: 'url_default_port',
    signature: (text) => sign(withUrl((url) => url.replace('.example', '.example:443'))(text)),
  },
  { code: 'url_without_query', signature: (text) => sign(withUrl((url) => url.replace(/\?.*/, ''))(text)) },
  {
    code: 'url_path_only',
    signature: (text) => sign(withUrl((url) => url.slice('https://consumer.example'.length))(text)),
  },
  {
    code: 'timestamp_milliseconds',
    signature: (text) => sign({ ...text, timestamp: `${text.timestamp}000` }),
  },
  {
    code: 'timestamp_seconds',
    signature: sign,
    pasted: (text) => ({ ...text, timestamp: `${text.timestamp}999` }),
  },
  {
    code: 'body_as_sent',
    signature: (text) => sign({ ...text, body: '{"sent":"as it was"}' }),
    bodyAsSent: '{"sent":"as it was"}',
  },
  { code: 'body_trimmed', signature: sign, pasted: withBody((body) => `${body}\r\n`) },
  { code: 'body_compact', signature: sign, pasted: pretty },
  {
    code: 'body_keys_sorted',
    signature: (text) =>
      sign({
        ...text,
        body: text.body.replace(/^.*$/, '{"data":{"a":[true,"x"],"b":"Müller"},"notificationId":"n"}'),
      }),
  },
  {
    code: 'body_spaced',
    signature: (text) =>
      sign({ ...text, body: '{"notificationId": "n", "data": {"b": "Müller", "a": [true, "x"]}}' }),
  },
  {
    code: 'body_indented',
    signature: (text) => sign(withBody((body) => JSON.stringify(JSON.parse(body), null, 2))(text)),
  },
  {
    code: 'body_indented',
    signature: (text) => sign(withBody((body) => JSON.stringify(JSON.parse(body), null, 4))(text)),
  },
  { code: 'body_escaped', signature: (text) => sign(withBody(escapedToAscii)(text)) },
  { code: 'body_trailing_blank', signature: (text) => sign(withBody((body) => `${body} `)(text)) },
  { code: 'body_trailing_break', signature: (text) => sign(withBody((body) => `${body}\n`)(text)) },
  { code: 'body_trailing_break', signature: (text) => sign(withBody((body) => `${body}\r\n`)(text)) },
  { code: 'body_byte_order_mark', signature: (text) => sign(withBody((body) => `\uFEFF${body}`)(text)) },
  { code: 'verb_missing', signature: (text) => sign({ ...text, verb: '' }) },
  { code: 'verb_lower_case', signature: (text) => sign({ ...text, verb: 'post' }) },
  {
    code: 'parts_order',
    signature: ({ verb, url, body, timestamp }) =>
      sign({ verb: timestamp, url: verb, body: url, timestamp: body }),
  },
  { code: 'other_version', signature: (text) => sign(text, OLD) },
  { code: 'other_version', signature: (text) => sign(text, COMING) },
  { code: 'secret_trailing_break', signature: (text) => sign(text, `${NOW}\n`) },
  { code: 'secret_trailing_break', signature: (text) => sign(text, `${NOW}\r\n`) },
  { code: 'secret_from_hex', signature: (text) => sign(text, Buffer.from(NOW, 'hex')) },
  { code: 'secret_from_base64', signature: (text) => sign(text, Buffer.from(NOW, 'base64')) },
  {
    code: 'secret_from_base64',
    signature: (text) => sign(text, Buffer.from(OLD.slice('whsec_'.length), 'base64')),
    version: 1,
  },
  { code: 'signature_blanks', signature: (text) => ` ${sign(text)}\n` },
  { code: 'signature_prefix', signature: (text) => `sha256=${sign(text)}` },
  { code: 'signature_upper_case', signature: (text) => sign(text).toUpperCase() },
  { code: 'signature_base64', signature: (text) => Buffer.from(sign(text), 'hex').toString('base64') },
];
