import { Field, INSTANT_PATTERN, parseInstant } from '#libs/contracts';

const DAY_MS = 86_400_000;

/** Validates an optional instant in the future, at most `withinDays` days ahead. */
export const ComingInstant = ({ withinDays = Infinity } = {}): PropertyDecorator =>
  Field(
    (value) => {
      const inMs = typeof value === 'string' ? (parseInstant(value)?.getTime() ?? 0) - Date.now() : 0;
      if (inMs <= 0) return 'must be an ISO 8601 date and time with an offset, in the future';
      return inMs <= withinDays * DAY_MS ? null : `must be at most ${String(withinDays)} days ahead`;
    },
    { type: 'string', pattern: INSTANT_PATTERN },
    { optional: true },
  );
