import type { Dto, FieldContent, ItemRule, Presence, Rule } from './declared.js';
import { INSTANT_PATTERN, parseInstant } from './instant.js';
import { Field, type FieldSchema } from './rule.js';

interface Options extends Presence {
  /** Additions to the OpenAPI document. */
  readonly schema?: FieldSchema;
}

/** One of a closed list. */
export function OneOf(list: readonly string[], given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) =>
    typeof value === 'string' && list.includes(value) ? null : `must be one of ${list.join(', ')}`;
  return Field(rule, { type: 'string', enum: [...list], ...given.schema }, given);
}

const TRUTHS = [true, false] as const;

/** A JSON boolean, or `true` or `false` in a query; a JSON string is refused. */
export function Truth({
  only = TRUTHS,
  ...given
}: Options & { readonly only?: readonly boolean[] } = {}): PropertyDecorator {
  const rule: Rule = (value) =>
    only.some((one) => one === value) ? null : `must be ${only.map(String).join(' or ')}`;
  const schema: FieldSchema = { type: 'boolean', ...(only === TRUTHS ? {} : { enum: [...only] }) };
  return Field(rule, { ...schema, ...given.schema }, given, {
    inQuery: {
      read: (text) => only.find((one) => String(one) === text),
      message: `must be one of ${only.map(String).join(', ')}`,
    },
  });
}

/** A JSON number without a fraction, within bounds; digits in a query. */
export function Whole(bounds: { min: number; max: number }, given: Options = {}): PropertyDecorator {
  const message = `must be a whole number from ${String(bounds.min)} to ${String(bounds.max)}`;
  const rule: Rule = (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= bounds.min && value <= bounds.max
      ? null
      : message;
  const schema: FieldSchema = { type: 'integer', minimum: bounds.min, maximum: bounds.max, ...given.schema };
  return Field(rule, schema, given, {
    inQuery: {
      read: (text) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : undefined),
      message: `${message}, given once`,
    },
  });
}

/** UUIDs of any version: an id that the dispatcher never assigned is simply not found. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID as text. */
export function UuidText(given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) => (typeof value === 'string' && UUID.test(value) ? null : 'must be one UUID');
  return Field(rule, { type: 'string', format: 'uuid', ...given.schema }, given);
}

/** An ISO 8601 instant with an offset; the field's value is a Date. */
export function InstantText(given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) =>
    value instanceof Date
      ? null
      : 'must be one ISO 8601 date and time with an offset, e.g. 2025-11-20T09:30:00Z';
  const convert = (value: unknown): unknown =>
    typeof value === 'string' ? (parseInstant(value) ?? value) : value;
  return Field(rule, { type: 'string', pattern: INSTANT_PATTERN, ...given.schema }, given, { convert });
}

/** An array of distinct values that each obey a rule. `items` is the items' JSON schema. */
export function ListOf(
  item: Rule,
  bounds: { min: number; max: number; items: object },
  given: Options = {},
): PropertyDecorator {
  const isList: Rule = (value) => {
    if (!Array.isArray(value)) return 'must be an array';
    return value.length < bounds.min || value.length > bounds.max
      ? `must hold ${String(bounds.min)} to ${String(bounds.max)} items`
      : null;
  };
  const distinct: ItemRule = (value, index, list) =>
    item(value) ?? (list.indexOf(value) === index ? null : 'must not repeat an earlier item');
  const schema: FieldSchema = {
    type: 'array',
    items: bounds.items,
    minItems: bounds.min,
    maxItems: bounds.max,
    uniqueItems: true,
    ...given.schema,
  };
  return Field(isList, schema, given, { item: distinct });
}

/** A JSON object; an array is refused. */
export const mustBeObject: Rule = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be an object';

/** @nestjs/swagger recognises a reference by the function's name, `type`. */
const referenceTo = (dto: () => Dto): FieldSchema => ({ type: () => dto() });

/** An object with its own DTO. */
export const Nested = (dto: () => Dto, given: Options = {}): PropertyDecorator =>
  Field(mustBeObject, { ...referenceTo(dto), ...given.schema }, given, { nested: dto });

/** An object whose DTO depends on its siblings. `choose` gets the unchecked object that holds them. */
export const NestedBy = (
  choose: NonNullable<FieldContent['nested']>,
  schema: FieldSchema,
): PropertyDecorator => Field(mustBeObject, schema, {}, { nested: choose });

/** An array of objects with their own DTO. */
export function NestedList(dto: () => Dto, given: Options = {}): PropertyDecorator {
  const isList: Rule = (value) => (Array.isArray(value) ? null : 'must be an array of objects');
  const schema = { ...referenceTo(dto), isArray: true, ...given.schema };
  return Field(isList, schema, given, { item: mustBeObject, nested: dto });
}
