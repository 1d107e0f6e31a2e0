import { Text } from '#libs/contracts';
import { FIRST_KEY_NAME } from './api-key.js';
import { PERSON_PREFIX } from './caller.js';

/** A key's name: the caller's identity. Keys may share it, except that of the first key; people's names are not for keys. */
export const KeyName = (): PropertyDecorator =>
  Text({
    min: 1,
    max: 100,
    pattern: new RegExp(`^(?!${FIRST_KEY_NAME}$|${PERSON_PREFIX})[\\w .:@/-]+$`),
    patternInWords: `must be letters, digits, spaces and . : @ / _ -, not "${FIRST_KEY_NAME}", and not begin with "${PERSON_PREFIX}"`,
    schema: { example: 'payments-hub' },
  });
