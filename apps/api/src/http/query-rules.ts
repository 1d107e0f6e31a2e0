import { Field, INSTANT_PATTERN, OneOf, parseInstant, queryInteger } from '#libs/contracts';

/** UUIDs of any version: an id that the dispatcher never assigned is simply not found. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Validates an instant, by default an optional one in a query: ISO 8601 with an offset. */
export const InstantParameter = ({ optional = true } = {}): PropertyDecorator =>
  Field(
    (value) =>
      typeof value === 'string' && parseInstant(value) !== null
        ? null
        : 'must be one ISO 8601 date and time with an offset, e.g. 2025-11-20T09:30:00Z',
    { type: 'string', pattern: INSTANT_PATTERN },
    { optional },
  );

/** Validates an optional `true` or `false` in a query; the value stays text. */
export const BooleanParameter = (): PropertyDecorator =>
  OneOf(['true', 'false'], { optional: true, schema: { type: 'boolean', enum: [true, false] } });

/** Validates an optional UUID in a query. */
export const UuidParameter = (): PropertyDecorator =>
  Field(
    (value) => (typeof value === 'string' && UUID.test(value) ? null : 'must be one UUID'),
    { type: 'string', format: 'uuid' },
    { optional: true },
  );

/** Validates an optional integer in a query; the value stays text. */
export const IntegerParameter = (bounds: { min: number; max: number }): PropertyDecorator =>
  Field(
    queryInteger(bounds),
    { type: 'integer', minimum: bounds.min, maximum: bounds.max },
    { optional: true },
  );
