import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareBody, notificationIdIn } from './compare-body.js';

const ID = '0199c2f2-7b5e-7c3a-8f00-00000000abcd';
const SENT = `{"notificationId":"${ID}","data":{"name":"Müller","preNote":false}}`;

describe('notificationIdIn', () => {
  it.each([
    [SENT, ID],
    [JSON.stringify(JSON.parse(SENT), null, 2), ID],
    [SENT.replace(ID, ID.toUpperCase()), ID],
    [SENT.slice(0, -3), ID],
    ['{"a":1}', null],
    ['{"notificationId":"TEST-1"}', null],
    ['', null],
  ])('finds the notification id in %j', (body, id) => {
    expect(notificationIdIn(body)).toBe(id);
  });
});

describe('compareBody', () => {
  it('reports a body with the same bytes, or the first difference', () => {
    expect(compareBody(SENT, SENT)).toEqual({ kind: 'same_bytes' });
    expect(compareBody(SENT.replace('false', 'true'), SENT)).toEqual({
      kind: 'changed',
      offset: 92,
      sent: 'false}}',
      given: 'true}}',
    });
    expect(compareBody(`${SENT}\n`, SENT)).toEqual({
      kind: 'rewritten',
      offset: Buffer.byteLength(SENT),
      sent: '',
      given: '\n',
    });
    expect(compareBody(SENT.slice(0, -1), SENT)).toMatchObject({ kind: 'changed', sent: '}', given: '' });
  });

  it('reports a body with the same JSON in other bytes as rewritten', () => {
    const { data, notificationId } = JSON.parse(SENT);
    for (const other of [JSON.stringify({ data, notificationId }), JSON.stringify(JSON.parse(SENT), null, 2)])
      expect(compareBody(other, SENT)).toMatchObject({ kind: 'rewritten' });
    expect(compareBody(SENT.replace('ü', '\\u00fc'), SENT)).toMatchObject({
      kind: 'rewritten',
      sent: 'üller","preNote"',
      given: '\\u00fcller","pre',
    });
  });

  it('shows at most 16 well-formed characters of each body from the first difference', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, text, (start, one, other) => {
        const [given, sent] = [start + one, start + other];
        const compared = compareBody(given, sent);
        if (compared.kind === 'same_bytes') return given === sent;
        const same = Buffer.from(given).subarray(0, compared.offset);
        expect(Buffer.from(sent).subarray(0, compared.offset)).toEqual(same);
        for (const part of [compared.given, compared.sent]) {
          expect(part.isWellFormed()).toBe(true);
          expect(Array.from(part).length).toBeLessThanOrEqual(16);
        }
        return given !== sent;
      }),
    );
  });
});
