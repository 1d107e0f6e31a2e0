import fc, { type Arbitrary } from 'fast-check';

/** Nested objects, which overflow the stack of a recursive reader if they are deep enough. */
const deep = (depth: number): unknown => JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));

const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202egnihsif',
  '\ufeff',
  'é\u0301\u0301\u0301',
  '👩‍👩‍👧‍👦',
  '__proto__',
  'constructor',
  'toString',
  "'; drop table events; --",
  '$1',
  '%00',
  '%s%n',
  '../../etc/passwd',
  '{{7*7}}',
  '\r\nx-injected: 1',
  'null',
  'NaN',
  '-1',
  '1e400',
  '9'.repeat(400),
  '0x1f',
  '2025-02-30T00:00:00Z',
  '2025-13-45T99:99:99Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '+275760-09-13T00:00:00.000Z',
  '2025-01-01T00:00:00-23:59',
  'TEST-1',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '0199c2f2-7b5e-7c3a-8f00-000000000000',
  'x'.repeat(256),
  'x'.repeat(2_049),
  'x'.repeat(70_000),
  'https://127.0.0.1/hook',
  'https://user:pass@127.0.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'javascript:alert(1)',
  'file:///etc/passwd',
] as const;

export const hostileText: Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...TEXTS), weight: 4 },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

/** Unexpected JSON values. */
export const hostileValue: Arbitrary<unknown> = fc.oneof(
  { arbitrary: hostileText, weight: 5 },
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { length: 1 }, { __proto__: null }),
  fc.constantFrom<unknown>(0, -0, -1, 1.5, 1e21, 1e308, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 31) - 1),
  fc.constantFrom<unknown>(
    deep(50),
    deep(2_000),
    Array.from({ length: 600 }, () => ({})),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A header's value that Node sends: visible characters and Latin-1. */
export const hostileHeader: Arbitrary<string> = fc.oneof(
  fc.constantFrom('', ' ', 'x'.repeat(300), 'x'.repeat(5_000), '\u00ff\u00fe', 'null', ',', 'a,b', '"'),
  fc.string({ maxLength: 300 }).map((text) => text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, '.')),
);
