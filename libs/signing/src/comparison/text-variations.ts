import { ofPart, type SignedPart, type Variation } from './variation.js';

/** As the dispatcher signs (specification, "Authentication", 3). */
export const ORDER: readonly SignedPart[] = ['verb', 'url', 'body', 'timestamp'];

const NAMES = { verb: 'verb', url: 'URL', body: 'body', timestamp: 'timestamp' } as const;

/** Every order of these parts. */
const ordersOf = (parts: readonly SignedPart[]): SignedPart[][] =>
  parts.length <= 1
    ? [[...parts]]
    : parts.flatMap((first) =>
        ordersOf(parts.filter((part) => part !== first)).map((rest) => [first, ...rest]),
      );

const timestampVariations: readonly Variation[] = [
  {
    ...ofPart(
      'timestamp_milliseconds',
      'timestamp',
      'The consumer signs the timestamp in milliseconds, not in seconds.',
      (timestamp) => `${timestamp}000`,
    ),
    alternativeTo: 'unit',
  },
  {
    ...ofPart(
      'timestamp_seconds',
      'timestamp',
      'The consumer signs the timestamp in seconds, not in milliseconds.',
      (timestamp) => (timestamp.length > 3 ? timestamp.slice(0, -3) : null),
    ),
    alternativeTo: 'unit',
  },
];

/** Variations of verb, timestamp and the order of the parts. */
export const textVariations: readonly Variation[] = [
  ...timestampVariations,
  ofPart('verb_lower_case', 'verb', 'The consumer signs the verb in lower case.', (verb) =>
    verb.toLowerCase(),
  ),
  {
    code: 'verb_missing',
    vary: (signed) => ({
      signed: { ...signed, verb: '' },
      words: 'The consumer leaves out the verb.',
    }),
  },
  ...ordersOf(ORDER)
    .filter((order) => order.join() !== ORDER.join())
    .map((order): Variation => ({
      code: 'parts_order',
      alternativeTo: 'order',
      vary: (signed) => ({
        signed: { ...signed, order },
        words: `The consumer puts the parts in another order: ${order.map((part) => NAMES[part]).join(', ')}.`,
      }),
    })),
];
