import { ApiProperty } from '@nestjs/swagger';
import { declare, type FieldContent, type Presence, type Rule } from './declared.js';

/** A field's schema in the OpenAPI document; `Field` adds whether it is required. */
export interface FieldSchema {
  readonly type?: 'string' | 'boolean' | 'integer' | 'array' | (() => new () => object);
  readonly isArray?: boolean;
  readonly format?: 'date' | 'date-time' | 'uri' | 'uuid';
  readonly enum?: (string | boolean)[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: object;
  readonly oneOf?: object[];
  readonly anyOf?: object[];
  readonly default?: string | number | boolean;
  readonly example?: unknown;
  readonly examples?: string[];
}

/**
 * A field with its rules and its schema in the OpenAPI document, so that the two agree. Of several rules the first is
 * checked alone (usually the JSON type): the others follow only for a value that it accepts, and each broken one is a
 * fault. Optional means absent: `null` is refused like any other value. Nullable also accepts `null`.
 */
export function Field(
  rules: Rule | readonly [Rule, ...Rule[]],
  schema: FieldSchema,
  { optional = false, nullable = false }: Presence = {},
  content: FieldContent = {},
): PropertyDecorator {
  const given = typeof rules === 'function' ? [rules] : rules;
  const describe = ApiProperty({ ...schema, required: !optional, ...(nullable ? { nullable } : {}) });
  return (target, property) => {
    declare(target, String(property), { rules: given, optional, nullable, ...content });
    describe(target, property);
  };
}
