import { expect, it } from '@jest/globals';
import { signatureNotes } from './signature-notes.js';

const URL = 'https://consumer.example/hook';
const TEXT = {
  url: URL,
  body: '{"a":1}',
  timestamp: '1700000000',
  unit: 'seconds' as 'seconds' | 'milliseconds',
};
const ATTEMPT = {
  signature: '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd',
  credentialVersion: 1,
  versionInForce: 1 as number | null,
  sentSignature: '6964a30a' as string | null,
};

const ofPasted = (change: Partial<typeof TEXT> = {}, attempt?: typeof ATTEMPT): string => {
  const { unit, ...parts } = { ...TEXT, ...change };
  return signatureNotes({ parts, unit, registeredUrl: URL }, attempt).join('\n');
};
const ofAttempt = (change: Partial<typeof ATTEMPT> = {}, text: Partial<typeof TEXT> = {}): string =>
  ofPasted(text, { ...ATTEMPT, ...change });

const WITHOUT_FAULT = `The URL is the registered one, to the last character; a URL that a proxy has changed is not signed.
The body is 7 bytes of UTF-8. The bytes are signed as they are sent, before any parsing.
The timestamp is Unix time in seconds: 2023-11-14T22:13:20.000Z. Its digits are signed as they are in x-timestamp.`;

it('notes state facts without warnings for a correct text', () => {
  expect(ofPasted()).toBe(WITHOUT_FAULT);
  expect(ofAttempt({ sentSignature: null })).toBe(WITHOUT_FAULT);
  expect(ofAttempt()).toBe(
    `What was sent bears a signature that begins with 6964a30a, and so does the one computed here: this is what was sent.\n${WITHOUT_FAULT}`,
  );
});

it.each([
  ['the bytes of the body', ofPasted({ body: '{"a":"ü"}' }), '10 bytes'],
  ['a line break', ofPasted({ body: '{"a":1}\n' }), 'line break'],
  ['a rewritten body', ofPasted({ body: '{ "a": 1 }' }), 'parsed and written again'],
  ['a byte order mark', ofPasted({ body: '\uFEFF{"a":1}' }), 'byte order mark'],
  ['a body that is not JSON', ofPasted({ body: 'a=1' }), 'not JSON'],
  ['a body nested too deeply', ofPasted({ body: '['.repeat(1e5) + ']'.repeat(1e5) }), 'not JSON'],
  ['milliseconds for seconds', ofPasted({ timestamp: '1700000000000' }), 'looks like milliseconds'],
  ['seconds for milliseconds', ofPasted({ unit: 'milliseconds' }), 'looks like seconds'],
  ['another URL', ofPasted({ url: 'https://Consumer.example/hook' }), `signs the registered URL, ${URL}`],
  ['another signature as sent', ofAttempt({ sentSignature: 'ffffffff' }), 'the one computed here does not'],
  [
    'a URL that has changed',
    ofAttempt({}, { url: 'https://old.example/' }),
    'registered URL has changed since',
  ],
  ['another version', ofAttempt({ credentialVersion: 2 }), 'version 2; in force is version 1'],
  ['no version in force', ofAttempt({ versionInForce: null }), 'in force is none'],
])('notes report %s', (_, notes, words) => {
  expect(notes).toContain(words);
});

it('notes report no other unit for a timestamp in milliseconds, and no invalid date', () => {
  expect(ofPasted({ timestamp: '1700000000000', unit: 'milliseconds' })).not.toContain('looks like');
  expect(ofPasted({ timestamp: '9999999999999999' })).not.toContain('Invalid');
});
