import fc from 'fast-check';

/** Makes another, usually invalid JSON value, as JSON.parse does: `__proto__` is a field. */
export type Mutation = (given: unknown) => unknown;

/** On both sides of every bound of a length. */
const LENGTHS = [0, 1, 12, 13, 16, 17, 34, 35, 36, 37, 40, 41, 140, 141, 255, 256, 500, 501, 2_048, 10_001];
const TEXTS = [
  'a\u0000',
  '\ud800',
  'a\udc00b',
  '\u{1FA99}'.repeat(12),
  '\u{1FA99}'.repeat(35),
  'Not Provided',
  'ach.status',
  'wire.status',
  'Processed',
  'Complete',
  'RETURN',
  'D',
  'PPD',
  'constructor',
  '1.00',
  '.5',
  '2025-02-29',
  '2024-02-29',
  '2025-11-20T09:30:00+25:00',
  '2025-11-20T09:30:00.1234567Z',
  '2999-01-01T00:00:00Z',
];
const NAMES = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'then',
  '0',
  '',
  'length',
  'unknown',
  'Amount',
];

const deep = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.constantFrom('[', '{"a":'))
  .map(([depth, open]): unknown =>
    JSON.parse(
      open === '[' ? '['.repeat(depth) + ']'.repeat(depth) : `${open.repeat(depth)}1${'}'.repeat(depth)}`,
    ),
  );

/** Any JSON value and `undefined`; values at the limits of rules are more frequent. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, '', {}, [], [{}], [[]], [null], ['a', 'a']),
  // Not JSON, but a caller in this process may pass it.
  fc.constant(undefined),
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...LENGTHS).map((length) => 'x'.repeat(length)),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
  fc.string({ unit: 'binary' }),
  deep,
);

const anyName = fc.oneof(fc.constantFrom(...NAMES), fc.string());

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function pathsIn(value: unknown, above: readonly string[] = []): (readonly string[])[] {
  const names = isObject(value) ? Object.entries(value) : [];
  return [above, ...names.flatMap(([name, inside]) => pathsIn(inside, [...above, name]))];
}

/** The value with the field at a path mapped; a field mapped to `GONE` is removed. */
function mapped(value: unknown, [name, ...rest]: readonly string[], map: Mutation): unknown {
  if (name === undefined || !isObject(value)) return map(value);
  const entries: [string, unknown][] = Object.entries(value);
  const changed = entries
    .map(([key, inside]): [string, unknown] => [key, key === name ? mapped(inside, rest, map) : inside])
    .filter(([, inside]) => inside !== GONE);
  return Array.isArray(value) ? changed.map(([, inside]) => inside) : Object.fromEntries(changed);
}

const GONE = Symbol('gone');

const change: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constant<Mutation>(() => GONE),
  anyValue.map(
    (value): Mutation =>
      () =>
        value,
  ),
  fc.tuple(anyName, anyValue).map(
    ([name, value]): Mutation =>
      (given) =>
        Object.fromEntries([...Object.entries(Object(given)), [name, value]]),
  ),
  fc.constantFrom<Mutation>(
    (given) => [given],
    (given) => [given, given],
    (given) => ({ a: given }),
  ),
  fc.constantFrom('\u0000', '\ud800', '\udc00', 'x', ' ', '\n', '0').map(
    (end): Mutation =>
      (given) =>
        typeof given === 'string' ? given + end : given,
  ),
);

/** Changes a JSON value at one to three of its places. */
export const mutation: fc.Arbitrary<Mutation> = fc
  .array(fc.tuple(fc.nat(), change), { minLength: 1, maxLength: 3 })
  .map(
    (changes): Mutation =>
      (given) =>
        changes.reduce<unknown>((value, [at, map]) => {
          const paths = pathsIn(value);
          const next = mapped(value, paths[at % paths.length] ?? [], map);
          return next === GONE ? null : next;
        }, given),
  );
