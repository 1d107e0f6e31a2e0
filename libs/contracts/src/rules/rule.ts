import { ValidateBy, ValidateIf } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from './apply-decorators.js';
import { declares, type Presence, type Rule } from './declared.js';

/** Constraint names of the rules made here begin with it; `checkPlain` prefers them over class-validator's words. */
export const RULE = 'contractRule';

/** A field's place in the OpenAPI document. Whether it is required is said by `Field` alone. */
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
 * A field with its rules and its place in the OpenAPI document, so that the two cannot drift apart. Of several rules
 * the first is the gate (the JSON type, as a rule): only what passes it is asked the others, and each of those that
 * is broken is a fault of its own. Optional means absent: `null` is a value like another, and refused
 * (class-validator's own `@IsOptional` would let it pass). Nullable takes `null` beside what the rules take.
 */
export function Field(
  rules: Rule | readonly [Rule, ...Rule[]],
  schema: FieldSchema,
  options: Presence = {},
): PropertyDecorator {
  const given = typeof rules === 'function' ? ([rules] as const) : rules;
  const [gate, ...others] = given;
  const present: Rule = (value) => (value === undefined ? 'is required' : gate(value));
  const behindGate = others.map(
    (rule): Rule =>
      (value) =>
        present(value) === null ? rule(value) : null,
  );
  const { optional = false, nullable = false } = options;
  const decorators = [present, ...behindGate].map(asConstraint);
  decorators.push(declares({ rules: given, presence: options }));
  decorators.push(ApiProperty({ ...schema, required: !optional, ...(nullable ? { nullable } : {}) }));
  const isAsked = (value: unknown): boolean =>
    !(optional && value === undefined) && !(nullable && value === null);
  if (optional || nullable) decorators.push(ValidateIf((_object, value) => isAsked(value)));
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
