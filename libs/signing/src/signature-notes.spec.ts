import { describe, expect, it } from '@jest/globals';
import { pastedNotes, signatureNotes, type SignatureFacts } from './signature-notes.js';

const URL = 'https://consumer.example/hook';
const SIGNATURE = '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd';

type Given = Partial<SignatureFacts> & { body?: string; timestamp?: string; url?: string };
const factsOf = ({ body = '{"a":1}', timestamp = '1700000000', url = URL, ...facts }: Given) => ({
  parts: { url, body, timestamp },
  signature: SIGNATURE,
  unit: 'seconds' as const,
  registeredUrl: URL,
  credentialVersion: 1,
  versionInForce: 1,
  sentSignature: '6964a30a',
  ...facts,
});
const ofAttempt = (given: Given = {}): string => signatureNotes(factsOf(given)).join('\n');
const ofPasted = (given: Given = {}): string => pastedNotes(factsOf(given)).join('\n');

const WITHOUT_FAULT = [
  'The URL is the registered one, to the last character; a URL that a proxy has changed is not signed.',
  'The body is 7 bytes of UTF-8. The bytes are signed as they are sent, before any parsing.',
  'The timestamp is Unix time in seconds: 2023-11-14T22:13:20.000Z. Its digits are signed as they are in x-timestamp.',
];

describe('pastedNotes', () => {
  it('notes state facts without warnings for a correct text', () => {
    expect(ofPasted().split('\n')).toEqual(WITHOUT_FAULT);
  });

  it('notes count the bytes of the body and report changes by an editor or parser', () => {
    expect(ofPasted({ body: '{"a":"ü"}' })).toContain('10 bytes');
    expect(ofPasted({ body: '{"a":1}\n' })).toContain('line break');
    expect(ofPasted({ body: '{ "a": 1 }' })).toContain('parsed and written again');
    expect(ofPasted({ body: '\uFEFF{"a":1}' })).toContain('byte order mark');
    expect(ofPasted({ body: 'a=1' })).toContain('not JSON');
  });

  it('notes report a timestamp in the other unit', () => {
    expect(ofPasted({ timestamp: '1700000000000' })).toContain('looks like milliseconds');
    expect(ofPasted({ timestamp: '1700000000000', unit: 'milliseconds' })).not.toContain('looks like');
    expect(ofPasted({ timestamp: '1700000000', unit: 'milliseconds' })).toContain('looks like seconds');
    expect(ofPasted({ timestamp: '9999999999999999' })).not.toContain('Invalid');
  });

  it('notes report a URL that differs from the registered one', () => {
    expect(ofPasted({ url: 'https://Consumer.example/hook' })).toContain(`signs the registered URL, ${URL}`);
  });
});

describe('signatureNotes', () => {
  it('notes compare the sent signature with the computed one', () => {
    expect(ofAttempt().split('\n').slice(1)).toEqual(WITHOUT_FAULT);
    expect(ofAttempt()).toContain('and so does the one computed here');
    expect(ofAttempt({ sentSignature: 'ffffffff' })).toContain('the one computed here does not');
    expect(ofAttempt({ sentSignature: null }).split('\n')).toEqual(WITHOUT_FAULT);
  });

  it('notes report that the registered URL has changed since the attempt', () => {
    expect(ofAttempt({ url: 'https://old.example/' })).toContain('registered URL has changed since');
  });

  it('notes name a credential version that is not in force', () => {
    expect(ofAttempt({ credentialVersion: 2 })).toContain('version 2; in force is version 1');
    expect(ofAttempt({ versionInForce: null })).toContain('in force is none');
  });
});
