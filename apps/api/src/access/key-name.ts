import { Text } from '#libs/contracts';
import { FIRST_KEY_NAME } from './api-key.js';
import { PERSON_PREFIX } from './caller.js';

/** Validates the name of an API key. Keys may share a name. The names of the first key and of people are reserved. */
export const KeyName = (): PropertyDecorator =>
  Text({
    min: 1,
    max: 100,
    pattern: new RegExp(`^(?!${FIRST_KEY_NAME}$|${PERSON_PREFIX})[\\w .:@/-]+$`),
    patternInWords: `must be letters, digits, spaces and . : @ / _ -, not "${FIRST_KEY_NAME}", and not begin with "${PERSON_PREFIX}"`,
    schema: { example: 'payments-hub' },
  });
