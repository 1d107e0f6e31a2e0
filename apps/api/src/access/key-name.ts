import { Text } from '#libs/contracts';
import { FIRST_KEY_NAME } from './api-key.js';
import { PERSON_PREFIX } from './caller.js';

/** Names of the product's own actors in the audit log and in messages. */
const RESERVED = [FIRST_KEY_NAME, 'dispatcher', 'system'] as const;
const RESERVED_IN_WORDS = RESERVED.map((name) => `"${name}"`).join(', ');

/** A pattern for these words in any case; a JSON schema has no flags. */
const anyCase = (words: readonly string[]): string =>
  words.map((word) => [...word].map((letter) => `[${letter.toUpperCase()}${letter}]`).join('')).join('|');

const NOT_RESERVED = `(?! *(?:${anyCase(RESERVED)}) *$)`;

/** Validates the name of an API key or link. Keys may share a name. The product's own names and those of people are reserved. */
export const KeyName = (): PropertyDecorator =>
  Text({
    min: 1,
    max: 100,
    pattern: new RegExp(`^${NOT_RESERVED}(?!${PERSON_PREFIX})[\\w .:@/-]+$`),
    patternInWords: `must be letters, digits, spaces and . : @ / _ -, not one of ${RESERVED_IN_WORDS}, and not begin with "${PERSON_PREFIX}"`,
    schema: { example: 'payments-hub' },
  });

/** Validates the name of a key that a consumer's people choose: it appears in the bank's messages, so it contains no link. */
export const OwnKeyName = (): PropertyDecorator =>
  Text({
    min: 1,
    max: 100,
    pattern: new RegExp(`^${NOT_RESERVED}[\\w .@-]+$`),
    patternInWords: `must be letters, digits, spaces and . @ _ -, and not one of ${RESERVED_IN_WORDS}`,
    schema: { example: 'treasury' },
  });

/** Validates the name of a consumer: any language, and nothing that changes a line or the direction of a text. */
export const ConsumerName = ({ optional = false } = {}): PropertyDecorator =>
  Text({
    min: 1,
    max: 200,
    optional,
    pattern: new RegExp(
      `^${NOT_RESERVED}[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]+$`,
    ),
    patternInWords: `must not contain control characters, line ends or changes of text direction, and not be one of ${RESERVED_IN_WORDS}`,
    schema: { example: 'Acme Corporation' },
  });
