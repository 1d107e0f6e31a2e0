import fc from 'fast-check';

/** A value with exactly one fault: `at` is its path below the value, e.g. `.account.accountId`. */
export interface Faulty {
  readonly value: unknown;
  readonly at: string;
  readonly message: string;
}

/** A value as the specification describes it. */
export interface Described {
  readonly valid: fc.Arbitrary<unknown>;
  /** Values with one fault, by the path of the field whose rule is broken. */
  readonly faulty: ReadonlyMap<string, fc.Arbitrary<Faulty>>;
}

const VALUES: readonly unknown[] = [null, 4711.25, true, '', 'ACCOUNT-4711', {}, { a: 1 }, [], [{}], ['a']];
const NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'unknown', 'then', '0', '', ' amount'];

/** Values that one rule refuses. */
export const refused = (message: string, ...values: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<Faulty> =>
  fc.oneof(...values).map((value) => ({ value, at: '', message }));

/** Values of other JSON types. */
const othersThan = (isOne: (value: unknown) => boolean): fc.Arbitrary<unknown> =>
  fc.constantFrom(...VALUES.filter((value) => !isOne(value)));

const leaf = (valid: fc.Arbitrary<unknown>, ...faulty: readonly fc.Arbitrary<Faulty>[]): Described => ({
  valid,
  faulty: new Map([['', fc.oneof(...faulty)]]),
});

/** One code point that PostgreSQL can hold; some are two UTF-16 units. */
const character = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 1 })
  .filter((one) => one !== '\u0000' && one.isWellFormed());

/** Texts, their length in code points; at each limit one character repeated. */
export const texts = (min: number, max: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.tuple(character, fc.constantFrom(min, max)).map(([one, length]) => one.repeat(length)),
    fc.array(character, { minLength: min, maxLength: Math.min(max, min + 20) }).map((all) => all.join('')),
  );

/** A text whose rules accept `valid`. */
const textOf = (valid: fc.Arbitrary<string>, ...faulty: readonly fc.Arbitrary<Faulty>[]): Described =>
  leaf(
    valid,
    refused(
      'must be a string',
      othersThan((value) => typeof value === 'string'),
    ),
    // PostgreSQL cannot hold them.
    refused(
      'must not contain U+0000 or unpaired surrogates',
      fc.constantFrom('a\u0000b', '\ud800', 'a\udc00'),
    ),
    ...faulty,
  );

/** A text of `min` (0 or 1) to `max` code points. */
export function text(min: 0 | 1, max?: number): Described {
  const faulty = min === 0 ? [] : [refused('must not be empty', fc.constant(''))];
  if (max !== undefined)
    faulty.push(refused(`must be at most ${String(max)} characters`, texts(max + 1, max + 2)));
  return textOf(texts(min, max ?? 50), ...faulty);
}

/** A text that matches a pattern; `wrong` are near misses by the message that refuses them. */
export const matching = (valid: fc.Arbitrary<string>, wrong: Readonly<Record<string, readonly string[]>>) =>
  textOf(
    valid,
    ...Object.entries(wrong).map(([message, values]) => refused(message, fc.constantFrom(...values))),
  );

/** A text of `length` code points, or one other text. */
export function exactly(length: number, or?: string): Described {
  const message = `must be exactly ${String(length)} characters${or === undefined ? '' : `, or the text "${or}"`}`;
  const wrong = fc.oneof(texts(0, length - 1), texts(length + 1, length + 2)).filter((one) => one !== or);
  return textOf(
    fc.oneof(texts(length, length), fc.constant(or ?? 'x'.repeat(length))),
    refused(message, wrong),
  );
}

export function choice(...ones: readonly string[]): Described {
  const near = ['constructor', ...ones.flatMap((one) => [`${one} `, one.toUpperCase(), one.toLowerCase()])];
  const wrong = fc.oneof(fc.constantFrom(...VALUES, ...near), fc.string());
  return leaf(
    fc.constantFrom(...ones),
    refused(
      `must be one of ${ones.join(', ')}`,
      wrong.filter((value) => !ones.some((one) => one === value)),
    ),
  );
}

export const truth = leaf(
  fc.boolean(),
  refused(
    'must be true or false',
    othersThan((value) => typeof value === 'boolean'),
  ),
);

type Wrap = (value: unknown) => unknown;

/** The faults of a part, as faults of the whole. */
const within = (path: string, { faulty }: Described, wraps: fc.Arbitrary<readonly [at: string, Wrap]>) =>
  [...faulty].map(([below, part]) => {
    const made = fc.tuple(wraps, part).map(([[at, wrap], { value, at: inside, message }]): Faulty => ({
      value: wrap(value),
      at: at + inside,
      message,
    }));
    return [path + below, made] as const;
  });

/** The object without a field. */
const without = (whole: object, name: string): [string, unknown][] =>
  Object.entries(whole).filter(([other]) => other !== name);

/** An object with exactly these fields; a name that ends with `?` is optional. */
export function object(
  fields: Readonly<Record<string, Described>>,
): Described & { readonly valid: fc.Arbitrary<object> } {
  const given = Object.entries(fields).map(([name, field]) => [name.replace('?', ''), field] as const);
  const requiredKeys = Object.keys(fields).filter((name) => !name.endsWith('?'));
  const valid: fc.Arbitrary<object> = fc.record(
    Object.fromEntries(given.map(([name, field]) => [name, field.valid] as const)),
    { requiredKeys },
  );
  // As JSON.parse does: `__proto__` is a field.
  const put = (whole: object, name: string, value: unknown): unknown =>
    Object.fromEntries([...without(whole, name), [name, value]]);
  const missing = requiredKeys.map((name) =>
    valid.map((whole): Faulty => ({
      value: Object.fromEntries(without(whole, name)),
      at: `.${name}`,
      message: 'is required',
    })),
  );
  const unknownName = fc
    .oneof(fc.constantFrom(...NAMES), fc.string())
    .filter((name) => given.every(([known]) => known !== name));
  const unknown = fc
    .tuple(valid, unknownName, fc.jsonValue({ maxDepth: 2 }))
    .map(([whole, name, value]): Faulty => ({
      value: put(whole, name, value),
      at: `.${name}`,
      message: 'is not a known field',
    }));
  const other = othersThan((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  const below = given.flatMap(([name, field]) => {
    const at = `.${name}`;
    return within(
      at,
      field,
      valid.map((whole) => [at, (value) => put(whole, name, value)] as const),
    );
  });
  const own = fc.oneof(refused('must be an object', other), unknown, ...missing);
  return { valid, faulty: new Map([['', own], ...below]) };
}

/** A list; `message` refuses anything else. */
export function list(
  item: Described,
  message: string,
  before: fc.Arbitrary<unknown[]>,
  ...faulty: fc.Arbitrary<Faulty>[]
): Described {
  const other = refused(
    message,
    othersThan((value) => Array.isArray(value)),
  );
  const wraps = before.map(
    (items) => [`[${String(items.length)}]`, (value: unknown) => [...items, value]] as const,
  );
  return { valid: before, faulty: new Map([['', fc.oneof(other, ...faulty)], ...within('[]', item, wraps)]) };
}
