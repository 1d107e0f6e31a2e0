import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  BODY,
  COMING,
  NOW,
  OLD,
  REGISTERED,
  SECRETS,
  sign,
  SIGNATURE_EXAMPLES,
  TEXT,
  type SignatureExample,
  type Text,
} from '../../testing/signature-examples.js';
import { readSignature } from './read-signature.js';
import {
  compareSignature,
  MAX_CHARACTERS,
  MAX_HMACS,
  type Comparison,
  type GivenSignature,
} from './compare-signature.js';
import { VARIATION_CODES, type VariationCode } from './variation.js';

interface Counted {
  readonly comparison: Comparison;
  readonly steps: number;
}
/** Runs a comparison to its end and counts its steps. */
function counted(signature: string, change: Partial<GivenSignature> = {}, text: Text = TEXT): Counted {
  const read = readSignature(signature);
  if (read === null) throw new Error(`not a signature: ${signature}`);
  const steps = compareSignature({
    signature: read,
    parts: text,
    registeredUrl: REGISTERED,
    bodyAsSent: null,
    credentialVersion: 2,
    secrets: SECRETS,
    ...change,
  });
  for (let count = 1; ; count += 1) {
    const step = steps.next();
    if (step.done === true) return { comparison: step.value, steps: count };
  }
}
const compared = (...given: Parameters<typeof counted>): Comparison => counted(...given).comparison;

const codesOf = ({ differences }: Comparison): VariationCode[] => differences.map(({ code }) => code);

const comparisonOf = (
  { signature, pasted, bodyAsSent, version = 2 }: SignatureExample,
  text = TEXT,
): Comparison =>
  compared(
    signature(text),
    { bodyAsSent: bodyAsSent ?? null, credentialVersion: version },
    pasted?.(text) ?? text,
  );

describe('compareSignature', () => {
  it('finds that a signature matches its text', () => {
    expect(compared(sign(TEXT))).toEqual({ finding: 'match', credentialVersion: 2, differences: [] });
  });

  it.each(SIGNATURE_EXAMPLES)('recognises the signature variation $code', (example) => {
    const comparison = comparisonOf(example);
    expect(comparison.finding).toBe('variation');
    expect(codesOf(comparison)).toEqual([example.code]);
  });

  it('every signature variation has an example', () => {
    expect([...new Set(SIGNATURE_EXAMPLES.map(({ code }) => code))].toSorted()).toEqual(
      [...VARIATION_CODES].toSorted(),
    );
  });

  it('recognises signature variations with any timestamp and body text', () => {
    const bodies = fc
      .array(fc.string({ unit: 'grapheme' }), { maxLength: 5 })
      .map((texts) => JSON.stringify({ z: 'ü', texts, a: { notificationId: 'n' } }));
    const anyText = fc.record({ body: bodies, timestamp: fc.stringMatching(/^[1-9]\d{4,12}$/) });
    const general = SIGNATURE_EXAMPLES.filter(
      ({ code }) => !['body_keys_sorted', 'body_spaced'].includes(code),
    );
    fc.assert(
      fc.property(anyText, fc.constantFrom(...general), (given, example) => {
        expect(codesOf(comparisonOf(example, { ...TEXT, ...given }))).toEqual([example.code]);
      }),
    );
  });

  it('recognises two variations of one signature', () => {
    const old = (text: Text): string => sign(text, OLD);
    expect(codesOf(compared(old({ ...TEXT, url: REGISTERED.replace('https', 'http') })))).toEqual([
      'url_scheme',
      'other_version',
    ]);
    const sortedAndSpaced = '{"data": {"a": [true, "x"], "b": "Müller"}, "notificationId": "n"}';
    expect(codesOf(compared(sign({ ...TEXT, body: sortedAndSpaced })))).toEqual([
      'body_keys_sorted',
      'body_spaced',
    ]);
    expect(
      codesOf(compared(sign({ ...TEXT, verb: '', timestamp: `${TEXT.timestamp}000` }).toUpperCase())),
    ).toEqual(['timestamp_milliseconds', 'verb_missing', 'signature_upper_case']);
    const { verb, url, body, timestamp } = TEXT;
    expect(
      codesOf(compared(sign({ verb: timestamp, url: body, body: url, timestamp: verb.toLowerCase() }))),
    ).toEqual(['verb_lower_case', 'parts_order']);
    expect(codesOf(compared(sign(TEXT, `${OLD}\n`)))).toEqual(['other_version', 'secret_trailing_break']);
  });

  it('does not search for three variations of one signature', () => {
    const three = sign({ ...TEXT, verb: 'post', timestamp: `${TEXT.timestamp}000`, body: `${BODY}\n` });
    expect(compared(three)).toEqual({ finding: 'no_match', credentialVersion: 2, differences: [] });
  });

  it('reports the credential version of a signature', () => {
    expect(compared(sign(TEXT, OLD))).toMatchObject({
      credentialVersion: 1,
      differences: [{ words: expect.stringContaining('version 1, which is no longer in force') }],
    });
    expect(compared(sign(TEXT, OLD), { credentialVersion: 1 })).toMatchObject({
      finding: 'match',
      credentialVersion: 1,
    });
  });
});

describe('no match', () => {
  const anySignature = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('hex'));

  it('finds no match for an unrelated signature', () => {
    fc.assert(
      fc.property(anySignature, fc.string({ unit: 'grapheme' }), fc.webUrl(), (signature, body, url) => {
        expect(compared(signature, {}, { ...TEXT, body, url })).toEqual({
          finding: 'no_match',
          credentialVersion: 2,
          differences: [],
        });
      }),
      { numRuns: 50 },
    );
  });

  it('stops a comparison at the limit of HMACs, after most variations were compared', () => {
    const secrets = Array.from({ length: 9 }, (_, index) => ({
      version: index + 1,
      state: 'former' as const,
      secret: `${NOW}${String(index)}${String(index)}`,
    }));
    const text: Text = {
      ...TEXT,
      url: 'https://Consumer.Example/a/b?c=d',
      body: `${JSON.stringify(JSON.parse(BODY), null, 3)}\n`,
    };
    const { steps } = counted('0'.repeat(64), { secrets, bodyAsSent: BODY }, text);
    expect(steps).toBeGreaterThan(1_000);
    expect(steps).toBeLessThan(MAX_HMACS);
    const tooMany = secrets.flatMap((secret, index) => [
      secret,
      { ...secret, version: 100 + index },
      { ...secret, version: 200 + index },
    ]);
    expect(counted('0'.repeat(64), { secrets: tooMany, bodyAsSent: BODY }, text).steps).toBe(MAX_HMACS + 1);
  });

  it('stops a comparison at the limit of characters, after every single variation of a large body', () => {
    const large = { ...TEXT, body: JSON.stringify({ a: 'x'.repeat(262_000) }) };
    const { steps } = counted('0'.repeat(64), {}, large);
    expect(steps).toBeGreaterThan(60);
    expect(steps * large.body.length).toBeLessThan(2 * MAX_CHARACTERS);
    const lowerCase = sign({ ...large, verb: 'post' });
    expect(codesOf(compared(lowerCase, {}, large))).toEqual(['verb_lower_case']);
    const { verb, url, body, timestamp } = large;
    const backwards = sign({ verb: timestamp, url: body, body: url, timestamp: verb });
    expect(codesOf(compared(backwards, {}, large))).toEqual(['parts_order']);
  });

  it('ends a comparison with deeply nested JSON', () => {
    for (const body of [
      '['.repeat(100_000),
      '['.repeat(5_000) + ']'.repeat(5_000),
      '{"a":'.repeat(40) + '1' + '}'.repeat(40),
    ])
      expect(compared('0'.repeat(64), { secrets: SECRETS.slice(1, 2) }, { ...TEXT, body }).finding).toBe(
        'no_match',
      );
  });
});

it('the result of a comparison contains no secret and no signature in any encoding', () => {
  for (const example of SIGNATURE_EXAMPLES) {
    const signature = readSignature(example.signature(TEXT))?.bytes ?? Buffer.alloc(0);
    const answer = JSON.stringify(comparisonOf(example));
    for (const secret of [OLD, NOW, COMING]) expect(answer).not.toContain(secret);
    for (const encoding of ['hex', 'base64'] as const) {
      const computed = signature.toString(encoding);
      for (let at = 0; at + 8 <= computed.length; at += 1)
        expect(answer.toLowerCase()).not.toContain(computed.slice(at, at + 8).toLowerCase());
    }
  }
});
