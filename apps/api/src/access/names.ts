import { Text, type TextRules } from '#libs/contracts';
import { FIRST_KEY_NAME } from './api-key.js';
import { PERSON_PREFIX } from './caller.js';

/** Names of the product's own actors in the audit log and in messages. */
const RESERVED = [FIRST_KEY_NAME, 'dispatcher', 'system'] as const;
const RESERVED_IN_WORDS = RESERVED.map((name) => `"${name}"`).join(', ');

/** Refuses a reserved name also in another case, another width, and between blanks or characters that nobody sees. */
function notReserved(name: string): string | null {
  const shown = name
    .normalize('NFKC')
    .replaceAll(/[\p{Z}\p{Cf}]/gu, '')
    .toLowerCase();
  return RESERVED.some((reserved) => reserved === shown) ? `must not be one of ${RESERVED_IN_WORDS}` : null;
}

/** Validates the name of an API key or link. Keys may share a name. The product's own names and those of people are reserved. */
export const KeyName = (): PropertyDecorator =>
  Text({
    min: 1,
    max: 100,
    pattern: new RegExp(`^(?!${PERSON_PREFIX})[\\w .:@/-]+$`),
    patternInWords: `must be letters, digits, spaces and . : @ / _ -, and not begin with "${PERSON_PREFIX}"`,
    also: notReserved,
    schema: { example: 'payments-hub' },
  });

/** Validates the name of a key that a consumer's people choose: it appears in the bank's messages, so it contains no link. */
export const OwnKeyName = (): PropertyDecorator =>
  Text({
    min: 1,
    max: 100,
    pattern: /^[\w .@-]+$/,
    patternInWords: 'must be letters, digits, spaces and . @ _ -',
    also: notReserved,
    schema: { example: 'treasury' },
  });

const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';
const LINE_ENDS = '\\u2028\\u2029';
/** Unicode's `Bidi_Control`. */
const DIRECTIONS = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

/** Validates a name in any language, of a consumer or a channel: nothing changes a line or the direction of a text. */
const DisplayName = (rules: Pick<TextRules, 'max' | 'optional' | 'schema'>): PropertyDecorator =>
  Text({
    min: 1,
    pattern: new RegExp(`^[^${CONTROLS}${LINE_ENDS}${DIRECTIONS}]*$`),
    patternInWords: 'must not contain control characters, line ends or changes of text direction',
    also: notReserved,
    ...rules,
  });

/** Validates the name of a consumer, in at most 200 characters. */
export const ConsumerName = ({ optional = false } = {}): PropertyDecorator =>
  DisplayName({ max: 200, optional, schema: { example: 'Acme Corporation' } });

/** Validates the name of a channel, in at most 100 characters. */
export const ChannelName = ({ optional = false } = {}): PropertyDecorator =>
  DisplayName({ max: 100, optional, schema: { example: 'Payments on call' } });
