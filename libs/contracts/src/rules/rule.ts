import { applyDecorators } from './apply-decorators.js';
import { ValidateBy, ValidateIf } from 'class-validator';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** What is wrong with a value, in words that name the rule and never the value; null when nothing is. */
export type Rule = (value: unknown) => string | null;

/** Constraint name of every rule made here; `checkPlain` prefers it over class-validator's own words. */
export const RULE = 'contractRule';

/**
 * A field with its rule and its place in the OpenAPI document, so that the two cannot drift apart. Optional means
 * absent: `null` is a value like another, and refused (class-validator's own `@IsOptional` would let it pass).
 */
export function Field(
  rule: Rule,
  schema: ApiPropertyOptions,
  options: { optional?: boolean } = {},
): PropertyDecorator {
  const complete: Rule = (value) => (value === undefined ? 'is required' : rule(value));
  const decorators: PropertyDecorator[] = [
    ValidateBy({
      name: RULE,
      validator: {
        validate: (value: unknown) => complete(value) === null,
        defaultMessage: (args) => complete(args?.value) ?? '',
      },
    }),
    ApiProperty({ ...schema, required: options.optional !== true } as ApiPropertyOptions),
  ];
  if (options.optional === true) decorators.push(ValidateIf((_object, value) => value !== undefined));
  return applyDecorators(...decorators);
}
