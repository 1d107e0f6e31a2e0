import { Field, INSTANT_PATTERN, OneOf, parseInstant, queryInteger } from '#libs/contracts';

/** Any version: an id that we never gave out is simply not found. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An instant in a query, as ISO 8601 with an offset. */
export const InstantParameter = (): PropertyDecorator =>
  Field(
    (value) =>
      typeof value === 'string' && parseInstant(value) !== null
        ? null
        : 'must be one ISO 8601 date and time with an offset, e.g. 2025-11-20T09:30:00Z',
    { type: 'string', pattern: INSTANT_PATTERN },
    { optional: true },
  );

/** `true` or `false` in a query; it stays text until it is used. */
export const BooleanParameter = (): PropertyDecorator =>
  OneOf(['true', 'false'], { optional: true, schema: { type: 'boolean', enum: [true, false] } });

/** An id in a query. */
export const UuidParameter = (): PropertyDecorator =>
  Field(
    (value) => (typeof value === 'string' && UUID.test(value) ? null : 'must be one UUID'),
    { type: 'string', format: 'uuid' },
    { optional: true },
  );

/** A whole number in a query; it stays text until it is used. */
export const IntegerParameter = (bounds: { min: number; max: number }): PropertyDecorator =>
  Field(
    queryInteger(bounds),
    { type: 'integer', minimum: bounds.min, maximum: bounds.max },
    { optional: true },
  );
