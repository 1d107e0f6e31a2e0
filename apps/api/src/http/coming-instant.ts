import { Field, INSTANT_PATTERN, parseInstant } from '#libs/contracts';

/** An instant that is still to come. */
export const ComingInstant = (): PropertyDecorator =>
  Field(
    (value) =>
      typeof value === 'string' && (parseInstant(value)?.getTime() ?? 0) > Date.now()
        ? null
        : 'must be an ISO 8601 date and time with an offset, in the future',
    { type: 'string', pattern: INSTANT_PATTERN },
    { optional: true },
  );
