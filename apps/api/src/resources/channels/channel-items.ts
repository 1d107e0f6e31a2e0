import { textRule } from '#libs/contracts';

/** The rule for an item of a closed list. */
export const isOneOf =
  (values: readonly string[]) =>
  (value: unknown): string | null =>
    values.some((one) => one === value) ? null : `must be one of ${values.join(', ')}`;

/** The rule for one of the mail addresses that get messages. */
export const isMailAddress = textRule({
  max: 254,
  pattern: /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+$/,
  patternInWords: 'must be a mail address',
});
