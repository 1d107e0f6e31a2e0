import { describe, expect, it } from '@jest/globals';
import { signatureNotes, type SignatureFacts } from './signature-notes.js';

const URL = 'https://consumer.example/hook';
const SIGNATURE = '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd';

const notes = (given: Partial<SignatureFacts> & { body?: string; timestamp?: string; url?: string } = {}) => {
  const { body = '{"a":1}', timestamp = '1700000000', url = URL, ...facts } = given;
  return signatureNotes({
    parts: { url, body, timestamp },
    signature: SIGNATURE,
    unit: 'seconds',
    registeredUrl: URL,
    canonicalUrl: url,
    credentialVersion: 1,
    versionInForce: 1,
    sentSignature: null,
    ...facts,
  }).join('\n');
};

describe('notes on a signature', () => {
  it('of one that is in order tell the facts and warn of nothing', () => {
    expect(notes().split('\n')).toEqual([
      'The URL is the registered one, to the last character; what a proxy makes of it is not signed.',
      'The body is 7 bytes of UTF-8. The bytes are signed as they are sent, before anybody parses them.',
      'The timestamp is Unix time in seconds: 2023-11-14T22:13:20.000Z. Its digits are signed as they stand in x-timestamp.',
    ]);
  });

  it('count the body in bytes, and see what an editor or a parser has done to it', () => {
    expect(notes({ body: '{"a":"ü"}' })).toContain('10 bytes');
    expect(notes({ body: '{"a":1}\n' })).toContain('line break');
    expect(notes({ body: '{ "a": 1 }' })).toContain('parsed and written again');
    expect(notes({ body: '\uFEFF{"a":1}' })).toContain('byte order mark');
    expect(notes({ body: 'a=1' })).toContain('not JSON');
  });

  it('see a timestamp in the other unit', () => {
    expect(notes({ timestamp: '1700000000000' })).toContain('looks like milliseconds');
    expect(notes({ timestamp: '1700000000000', unit: 'milliseconds' })).not.toContain('looks like');
    expect(notes({ timestamp: '1700000000', unit: 'milliseconds' })).toContain('looks like seconds');
    expect(notes({ timestamp: '9999999999999999' })).not.toContain('Invalid');
  });

  it('see another URL, and one that is not canonical', () => {
    const other = notes({ url: 'https://Consumer.example/hook', canonicalUrl: URL });
    expect(other).toContain(
      `not in canonical form, and is signed here as it was given; the dispatcher would sign ${URL}`,
    );
    expect(other).toContain(`signs the registered URL, ${URL}, and this is another`);
    expect(notes({ url: 'hook', canonicalUrl: null })).toContain('none that could be registered');
    expect(notes({ url: 'https://old.example/', sentSignature: '6964a30a' })).toContain(
      'registered URL has changed since',
    );
  });

  it('compare what was sent with what is computed', () => {
    expect(notes({ sentSignature: '6964a30a' })).toContain('and so does the one computed here');
    expect(notes({ sentSignature: 'ffffffff' })).toContain('the one computed here does not');
  });

  it('name a version that is not in force', () => {
    expect(notes({ credentialVersion: 2 })).toContain('version 2; in force is version 1');
    expect(notes({ versionInForce: null })).toContain('in force is none');
  });
});
