import { Text } from '#libs/contracts';
import { FIRST_KEY_NAME } from './api-key.js';

/** A key's name: the caller's identity. Keys may share it, except that of the first key. */
export const KeyName = (): PropertyDecorator =>
  Text({
    min: 1,
    max: 100,
    pattern: new RegExp(`^(?!${FIRST_KEY_NAME}$)[\\w .:@/-]+$`),
    patternInWords: `must be letters, digits, spaces and . : @ / _ -, and not "${FIRST_KEY_NAME}"`,
    schema: { example: 'payments-hub' },
  });
