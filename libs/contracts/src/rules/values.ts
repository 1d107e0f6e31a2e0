import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { applyDecorators } from './apply-decorators.js';
import { Field, type FieldSchema, type Rule } from './rule.js';

interface Options {
  readonly optional?: boolean;
  /** Additions to the OpenAPI document. */
  readonly schema?: FieldSchema;
}

const options = (given: Options): { optional: boolean } => ({ optional: given.optional === true });

/** One of a closed list. */
export function OneOf(list: readonly string[], given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) =>
    typeof value === 'string' && list.includes(value) ? null : `must be one of ${list.join(', ')}`;
  return Field(rule, { type: 'string', enum: [...list], ...given.schema }, options(given));
}

/** A JSON boolean; the string "true" is none. */
export function Truth(given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) => (typeof value === 'boolean' ? null : 'must be true or false');
  return Field(rule, { type: 'boolean', ...given.schema }, options(given));
}

/** A JSON number without a fraction, within bounds. */
export function Whole(bounds: { min: number; max: number }, given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= bounds.min && value <= bounds.max
      ? null
      : `must be a whole number from ${String(bounds.min)} to ${String(bounds.max)}`;
  const schema: FieldSchema = { type: 'integer', minimum: bounds.min, maximum: bounds.max, ...given.schema };
  return Field(rule, schema, options(given));
}

/** An array of distinct values that each obey a rule. `items` is the items' JSON schema. */
export function ListOf(
  item: Rule,
  bounds: { min: number; max: number; items: object },
  given: Options = {},
): PropertyDecorator {
  const rule: Rule = (value) => {
    if (!Array.isArray(value)) return 'must be an array';
    if (value.length < bounds.min || value.length > bounds.max) {
      return `must hold ${String(bounds.min)} to ${String(bounds.max)} items`;
    }
    const fault = firstFault(value, item);
    if (fault !== null) return fault;
    return new Set<unknown>(value).size === value.length ? null : 'must not repeat an item';
  };
  const schema: FieldSchema = {
    type: 'array',
    items: bounds.items,
    minItems: bounds.min,
    maxItems: bounds.max,
    uniqueItems: true,
    ...given.schema,
  };
  return Field(rule, schema, options(given));
}

/** A JSON object; an array is none, though JavaScript takes it for one. */
export const mustBeObject: Rule = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be an object';

/** @nestjs/swagger knows a reference by the function's name, `type`; under any other it documents nothing. */
const referenceTo = (dto: () => new () => object): FieldSchema => ({ type: () => dto() });

/** An object with rules of its own. class-validator alone would take an array for it. */
export function Nested(dto: () => new () => object, given: Options = {}): PropertyDecorator {
  return applyDecorators(
    Field(mustBeObject, { ...referenceTo(dto), ...given.schema }, options(given)),
    ValidateNested(),
    Type(dto),
  );
}

/** An array of such objects. */
export function NestedList(dto: () => new () => object, given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) =>
    Array.isArray(value) ? firstFault(value, mustBeObject) : 'must be an array of objects';
  return applyDecorators(
    Field(rule, { ...referenceTo(dto), isArray: true, ...given.schema }, options(given)),
    ValidateNested({ each: true }),
    Type(dto),
  );
}

function firstFault(values: readonly unknown[], item: Rule): string | null {
  for (const [index, value] of values.entries()) {
    const fault = item(value);
    if (fault !== null) return `item ${String(index)} ${fault}`;
  }
  return null;
}
