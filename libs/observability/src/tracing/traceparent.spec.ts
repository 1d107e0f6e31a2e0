import { describe, expect, it } from '@jest/globals';
import { readTraceparent, traceIdOf } from './traceparent.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const GIVEN = `00-${TRACE}-b7ad6b7169203331-01`;

describe('readTraceparent', () => {
  it('accepts every valid traceparent', () => {
    expect(readTraceparent(GIVEN)).toBe(GIVEN);
    expect(readTraceparent(GIVEN.replace(/01$/, '00'))).toBe(GIVEN.replace(/01$/, '00'));
    expect(traceIdOf(GIVEN)).toBe(TRACE);
  });

  it('reads the known part of a traceparent of a later version', () => {
    expect(readTraceparent(GIVEN.replace(/^00/, 'cc'))).toBe(GIVEN);
    expect(readTraceparent(`${GIVEN.replace(/^00/, 'cc')}-later-fields`)).toBe(GIVEN);
  });

  it.each([
    undefined,
    '',
    'garbage',
    `${GIVEN}-more`,
    `${GIVEN} `,
    GIVEN.toUpperCase(),
    GIVEN.slice(0, -1),
    GIVEN.replace(/^00/, 'ff'),
    GIVEN.replace(TRACE, '0'.repeat(32)),
    GIVEN.replace('b7ad6b7169203331', '0'.repeat(16)),
    `${GIVEN.replace(/^00/, 'cc')}x`,
  ])('refuses the traceparent %p', (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});
