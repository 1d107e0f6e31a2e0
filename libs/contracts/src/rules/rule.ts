import { ValidateBy, ValidateIf } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from './apply-decorators.js';
import { declares, type Presence, type Rule } from './declared.js';

/** Prefix of the constraint names of `Field`; `checkPlain` prefers them to class-validator's messages. */
export const RULE = 'contractRule';

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
 * fault. Optional means absent: `null` is refused like any other value (class-validator's own `@IsOptional` would accept
 * it). Nullable also accepts `null`.
 */
export function Field(
  rules: Rule | readonly [Rule, ...Rule[]],
  schema: FieldSchema,
  options: Presence = {},
): PropertyDecorator {
  const given = typeof rules === 'function' ? ([rules] as const) : rules;
  const [first, ...others] = given;
  const present: Rule = (value) => (value === undefined ? 'is required' : first(value));
  const following = others.map(
    (rule): Rule =>
      (value) =>
        present(value) === null ? rule(value) : null,
  );
  const { optional = false, nullable = false } = options;
  const decorators = [present, ...following].map(asConstraint);
  decorators.push(declares({ rules: given, presence: options }));
  decorators.push(ApiProperty({ ...schema, required: !optional, ...(nullable ? { nullable } : {}) }));
  const isChecked = (value: unknown): boolean =>
    !(optional && value === undefined) && !(nullable && value === null);
  if (optional || nullable) decorators.push(ValidateIf((_object, value) => isChecked(value)));
  return applyDecorators(...decorators);
}

/** class-validator keeps constraints by name, so each rule of a field has its own. */
const asConstraint = (rule: Rule, index: number): PropertyDecorator =>
  ValidateBy({
    name: `${RULE}.${String(index)}`,
    validator: {
      validate: (value: unknown) => rule(value) === null,
      defaultMessage: (args) => rule(args?.value) ?? '',
    },
  });
