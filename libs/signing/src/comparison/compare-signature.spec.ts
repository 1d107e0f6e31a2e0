import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  candidates,
  compareSignature,
  MAX_CHARACTERS,
  MAX_HMACS,
  type Comparison,
} from './compare-signature.js';
import { VARIATION_CODES } from './differences.js';
import { readSignature } from './read-signature.js';
import type { GivenSignature } from './variations.js';

const OLD = 'whsec_b2xkIHNlY3JldCBvZiB0ZXN0cw';
const NOW = '6465616462656566636166656261626530';
const COMING = 'the coming secret, ünïcode';
const SECRETS = [
  { version: 3, state: 'coming', secret: COMING },
  { version: 2, state: 'current', secret: NOW },
  { version: 1, state: 'former', secret: OLD },
] as const;
const REGISTERED = 'https://consumer.example/ach-payments-api/v1/hook?tenant=a';
/** A sent body: compact, keys not sorted, with a non-ASCII character. */
const BODY = '{"notificationId":"n","data":{"b":"Müller","a":[true,"x"]}}';

interface Text {
  readonly verb: string;
  readonly url: string;
  readonly body: string;
  readonly timestamp: string;
}
const TEXT: Text = { verb: 'POST', url: REGISTERED, body: BODY, timestamp: '1700000000' };

/** A consumer's signature, computed independently. */
const sign = ({ verb, url, body, timestamp }: Text, key: string | Buffer = NOW): string =>
  createHmac('sha256', key)
    .update(verb + url + body + timestamp)
    .digest('hex');

const given = (signature: string, change: Partial<GivenSignature> = {}, parts = TEXT): GivenSignature => {
  const read = readSignature(signature);
  if (read === null) throw new Error(`not a signature: ${signature}`);
  const asGiven = { registeredUrl: REGISTERED, bodyAsSent: null, credentialVersion: 2, secrets: SECRETS };
  return { ...asGiven, signature: read, parts, ...change };
};
const compared = (...of: Parameters<typeof given>): Promise<Comparison> => compareSignature(given(...of));
const codesOf = ({ differences }: Comparison): string[] => differences.map(({ code }) => code);
const codes = async (...of: Parameters<typeof given>): Promise<string[]> => codesOf(await compared(...of));

type Change = (text: Text) => Text;
const url =
  (from: string | RegExp, to: string): Change =>
  (text) => ({ ...text, url: text.url.replace(from, to) });
const body =
  (change: (text: string) => string): Change =>
  (text) => ({ ...text, body: change(text.body) });
const pretty = (blanks: number): Change => body((text) => JSON.stringify(JSON.parse(text), null, blanks));
const timestamp =
  (end: string): Change =>
  (text) => ({ ...text, timestamp: text.timestamp + end });
const ascii = (text: string): string =>
  text
    .split('')
    .map((unit) => (unit < '\u0080' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))
    .join('');
const same: Change = (text) => text;

/** What the consumer signs instead of the text; what it pastes instead; and its key. */
const OTHER_TEXTS: readonly (readonly [string, Change, Change?])[] = [
  ['url_registered', same, url(/.*/, 'https://other.example/')],
  ['url_canonical', url('consumer', 'other'), url('consumer.example', 'Other.Example:443')],
  ['url_slash', url('?', '/?')],
  ['url_slash', url(/.*/, 'https://other.example/hook'), url(/.*/, 'https://other.example/hook/')],
  ['url_scheme', url('https', 'http')],
  ['url_host_case', url('consumer.example', 'CONSUMER.EXAMPLE')],
  ['url_default_port', url('.example', '.example:443')],
  ['url_without_query', url(/\?.*/, '')],
  ['url_path_only', url('https://consumer.example', '')],
  ['timestamp_milliseconds', timestamp('000')],
  ['timestamp_seconds', same, timestamp('999')],
  ['body_trimmed', same, body((text) => `${text}\r\n`)],
  ['body_compact', same, pretty(3)],
  ['body_indented', pretty(2)],
  ['body_indented', pretty(4)],
  ['body_escaped', body(ascii)],
  ['body_trailing_blank', body((text) => `${text} `)],
  ['body_trailing_break', body((text) => `${text}\n`)],
  ['body_trailing_break', body((text) => `${text}\r\n`)],
  ['body_byte_order_mark', body((text) => `\uFEFF${text}`)],
  ['verb_missing', (text) => ({ ...text, verb: '' })],
  ['verb_lower_case', (text) => ({ ...text, verb: 'post' })],
  ['parts_order', (text) => ({ verb: text.timestamp, url: text.verb, body: text.url, timestamp: text.body })],
];
/** Bodies that were written anew, for `BODY` only. */
const OTHER_BODIES: readonly (readonly [string, string])[] = [
  ['body_keys_sorted', '{"data":{"a":[true,"x"],"b":"Müller"},"notificationId":"n"}'],
  ['body_spaced', '{"notificationId": "n", "data": {"b": "Müller", "a": [true, "x"]}}'],
  ['body_as_sent', '{"sent":"as it was"}'],
];
const OTHER_KEYS: readonly (readonly [string, string | Buffer, number?])[] = [
  ['other_version', OLD],
  ['other_version', COMING],
  ['secret_trailing_break', `${NOW}\n`],
  ['secret_trailing_break', `${NOW}\r\n`],
  ['secret_from_hex', Buffer.from(NOW, 'hex')],
  ['secret_from_base64', Buffer.from(NOW, 'base64')],
  ['secret_from_base64', Buffer.from(OLD.slice('whsec_'.length), 'base64'), 1],
];
const OTHER_FORMS: readonly (readonly [string, (signature: string) => string])[] = [
  ['signature_blanks', (signature) => ` ${signature}\n`],
  ['signature_prefix', (signature) => `sha256=${signature}`],
  ['signature_upper_case', (signature) => signature.toUpperCase()],
  ['signature_base64', (signature) => Buffer.from(signature, 'hex').toString('base64')],
];

type Example = readonly [string, (text: Text) => Parameters<typeof given>];
const EXAMPLES: readonly Example[] = [
  ...OTHER_TEXTS.map(([code, signs, pastes = same]): Example => [
    code,
    (text) => [sign(signs(text)), {}, pastes(text)],
  ]),
  ...OTHER_KEYS.map(([code, key, credentialVersion = 2]): Example => [
    code,
    (text) => [sign(text, key), { credentialVersion }, text],
  ]),
  ...OTHER_FORMS.map(([code, form]): Example => [code, (text) => [form(sign(text)), {}, text]]),
];
const BODY_EXAMPLES = OTHER_BODIES.map(([code, written]): Example => [
  code,
  (text) => [sign({ ...text, body: written }), { bodyAsSent: '{"sent":"as it was"}' }, text],
]);

describe('compareSignature', () => {
  it('finds that a signature matches its text, with the version of its secret', async () => {
    expect(await compared(sign(TEXT))).toEqual({ finding: 'match', credentialVersion: 2, differences: [] });
    expect(await compared(sign(TEXT, OLD), { credentialVersion: 1 })).toMatchObject({
      finding: 'match',
      credentialVersion: 1,
    });
    expect(await compared(sign(TEXT, OLD))).toMatchObject({
      credentialVersion: 1,
      differences: [{ words: expect.stringContaining('version 1, which is no longer in force') }],
    });
  });

  it.each([...EXAMPLES, ...BODY_EXAMPLES])(
    'recognises the signature variation %s, and reveals neither secret nor signature',
    async (code, example) => {
      const of = example(TEXT);
      const comparison = await compared(...of);
      expect(comparison.finding).toBe('variation');
      expect(codesOf(comparison)).toEqual([code]);
      const answer = JSON.stringify(comparison).toLowerCase();
      expect(answer).not.toContain('…');
      for (const secret of [OLD, NOW, COMING]) expect(answer).not.toContain(secret.toLowerCase());
      for (const encoding of ['hex', 'base64'] as const) {
        const computed = given(...of)
          .signature.bytes.toString(encoding)
          .toLowerCase();
        for (let at = 0; at + 8 <= computed.length; at += 1)
          expect(answer).not.toContain(computed.slice(at, at + 8));
      }
    },
  );

  it('every signature variation has an example', () => {
    const named = new Set([...EXAMPLES, ...BODY_EXAMPLES].map(([code]) => code));
    expect(named).toEqual(new Set(VARIATION_CODES));
  });

  it('recognises signature variations with any timestamp and body text', async () => {
    const bodies = fc
      .array(fc.string({ unit: 'grapheme' }), { maxLength: 5 })
      .map((texts) => JSON.stringify({ z: 'ü', texts, a: { notificationId: 'n' } }));
    const anyText = fc.record({ body: bodies, timestamp: fc.stringMatching(/^[1-9]\d{4,12}$/) });
    await fc.assert(
      fc.asyncProperty(anyText, fc.constantFrom(...EXAMPLES), async (text, [code, example]) => {
        expect(await codes(...example({ ...TEXT, ...text }))).toEqual([code]);
      }),
    );
  });

  it('recognises two variations of one signature', async () => {
    const { verb, url: to, body: of, timestamp: at } = TEXT;
    const sortedAndSpaced = '{"data": {"a": [true, "x"], "b": "Müller"}, "notificationId": "n"}';
    const pairs: [string, string[]][] = [
      [sign({ ...TEXT, url: REGISTERED.replace('https', 'http') }, OLD), ['url_scheme', 'other_version']],
      [sign({ ...TEXT, body: sortedAndSpaced }), ['body_keys_sorted', 'body_spaced']],
      [
        sign({ ...TEXT, verb: '', timestamp: `${at}000` }).toUpperCase(),
        ['timestamp_milliseconds', 'verb_missing', 'signature_upper_case'],
      ],
      [
        sign({ verb: at, url: of, body: to, timestamp: verb.toLowerCase() }),
        ['verb_lower_case', 'parts_order'],
      ],
      [sign(TEXT, `${OLD}\n`), ['other_version', 'secret_trailing_break']],
    ];
    for (const [signature, expected] of pairs) expect(await codes(signature)).toEqual(expected);
  });

  it('does not search for three variations of one signature', async () => {
    const three = sign({ ...TEXT, verb: 'post', timestamp: `${TEXT.timestamp}000`, body: `${BODY}\n` });
    expect(await compared(three)).toEqual({ finding: 'no_match', credentialVersion: 2, differences: [] });
  });
});

describe('no match', () => {
  const none = '0'.repeat(64);
  const count = (...of: Parameters<typeof given>): number => [...candidates(given(...of))].length;

  it('finds no match for an unrelated signature', async () => {
    const anySignature = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString('hex'));
    await fc.assert(
      fc.asyncProperty(
        anySignature,
        fc.string({ unit: 'grapheme' }),
        fc.webUrl(),
        async (signature, of, to) => {
          expect(await compared(signature, {}, { ...TEXT, body: of, url: to })).toEqual({
            finding: 'no_match',
            credentialVersion: 2,
            differences: [],
          });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('stops a comparison at the limit of HMACs, after most variations were compared', () => {
    const versions = (first: number) =>
      Array.from({ length: 9 }, (_, index) => ({
        version: first + index,
        state: 'former' as const,
        secret: `${NOW}${String(index)}${String(index)}`,
      }));
    const text: Text = {
      ...TEXT,
      url: 'https://Consumer.Example/a/b?c=d',
      body: `${JSON.stringify(JSON.parse(BODY), null, 3)}\n`,
    };
    const rich = count(none, { secrets: versions(1), bodyAsSent: BODY }, text);
    expect(rich).toBeGreaterThan(1_000);
    expect(rich).toBeLessThan(MAX_HMACS);
    const secrets = [...versions(1), ...versions(101), ...versions(201)];
    expect(count(none, { secrets, bodyAsSent: BODY }, text)).toBe(MAX_HMACS);
  });

  it('stops a comparison at the limit of characters, after every single variation of a large body', async () => {
    const large = { ...TEXT, body: JSON.stringify({ a: 'x'.repeat(262_000) }) };
    const compares = count(none, {}, large);
    expect(compares).toBeGreaterThan(60);
    expect(compares * large.body.length).toBeLessThan(2 * MAX_CHARACTERS);
    expect(await codes(sign({ ...large, verb: 'post' }), {}, large)).toEqual(['verb_lower_case']);
    const { verb, url: to, body: of, timestamp: at } = large;
    const backwards = sign({ verb: at, url: of, body: to, timestamp: verb });
    expect(await codes(backwards, {}, large)).toEqual(['parts_order']);
  });

  it('ends a comparison with deeply nested JSON', async () => {
    for (const nested of [
      '['.repeat(100_000),
      '['.repeat(5_000) + ']'.repeat(5_000),
      '{"a":'.repeat(40) + '1' + '}'.repeat(40),
    ]) {
      const { finding } = await compared(none, { secrets: SECRETS.slice(1, 2) }, { ...TEXT, body: nested });
      expect(finding).toBe('no_match');
    }
  });
});
