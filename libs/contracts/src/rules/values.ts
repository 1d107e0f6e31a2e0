import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { applyDecorators } from './apply-decorators.js';
import { Field, type Rule } from './rule.js';

interface Options {
  readonly optional?: boolean;
  readonly schema?: Partial<ApiPropertyOptions>;
}

const options = (given: Options): { optional: boolean } => ({ optional: given.optional === true });

/** One of a closed list. */
export function OneOf(list: readonly string[], given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) =>
    typeof value === 'string' && list.includes(value) ? null : `must be one of ${list.join(', ')}`;
  return Field(
    rule,
    { type: 'string', enum: [...list], ...given.schema } as ApiPropertyOptions,
    options(given),
  );
}

/** A JSON boolean; the string "true" is none. */
export function Truth(given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) => (typeof value === 'boolean' ? null : 'must be true or false');
  return Field(rule, { type: 'boolean', ...given.schema } as ApiPropertyOptions, options(given));
}

/** A JSON number without a fraction, within bounds. */
export function Whole(bounds: { min: number; max: number }, given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= bounds.min && value <= bounds.max
      ? null
      : `must be a whole number from ${String(bounds.min)} to ${String(bounds.max)}`;
  const schema = { type: 'integer', minimum: bounds.min, maximum: bounds.max, ...given.schema };
  return Field(rule, schema as ApiPropertyOptions, options(given));
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
    for (const [index, element] of value.entries()) {
      const fault = item(element);
      if (fault !== null) return `item ${String(index)} ${fault}`;
    }
    return new Set<unknown>(value).size === value.length ? null : 'must not repeat an item';
  };
  const schema = {
    type: 'array',
    items: bounds.items,
    minItems: bounds.min,
    maxItems: bounds.max,
    uniqueItems: true,
    ...given.schema,
  };
  return Field(rule, schema as unknown as ApiPropertyOptions, options(given));
}

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with rules of its own. class-validator alone would take an array for it. */
export function Nested(dto: () => new () => object, given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) => (isPlainObject(value) ? null : 'must be an object');
  return applyDecorators(
    Field(rule, { type: dto, ...given.schema } as ApiPropertyOptions, options(given)),
    ValidateNested(),
    Type(dto),
  );
}

/** An array of such objects. */
export function NestedList(dto: () => new () => object, given: Options = {}): PropertyDecorator {
  const rule: Rule = (value) =>
    Array.isArray(value) && value.every(isPlainObject) ? null : 'must be an array of objects';
  return applyDecorators(
    Field(rule, { type: dto, isArray: true, ...given.schema } as ApiPropertyOptions, options(given)),
    ValidateNested({ each: true }),
    Type(dto),
  );
}
