import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { DeclaredField, Dto } from './declared.js';
import { EACH_ITEM } from './each-item.js';
import { RULE } from './rule.js';

/**
 * Whether the declared rules are all that class-validator would check. False for a field with a decorator of class-validator,
 * with an inherited constraint that its redeclaration does not replace, or declared twice.
 */
export function areAllDeclared(dto: Dto, fields: ReadonlyMap<string, DeclaredField>): boolean {
  const asked = getMetadataStorage()
    .getTargetValidationMetadatas(dto, '', false, false)
    .map(({ propertyName, type, name }) => constraint(propertyName, type, name));
  const declared = [...fields].flatMap(([field, given]) => constraintsOf(field, given));
  return asked.toSorted().join('\n') === declared.toSorted().join('\n');
}

/** The constraints that a field's decorators register with class-validator. */
function constraintsOf(field: string, { rules, presence, itemsObey, nested }: DeclaredField): string[] {
  const { CUSTOM_VALIDATION, NESTED_VALIDATION, CONDITIONAL_VALIDATION } = ValidationTypes;
  const isConditional = presence.optional === true || presence.nullable === true;
  return [
    ...rules.map((_rule, index) => constraint(field, CUSTOM_VALIDATION, `${RULE}.${String(index)}`)),
    ...(itemsObey === undefined ? [] : [constraint(field, CUSTOM_VALIDATION, EACH_ITEM)]),
    ...(nested === undefined ? [] : [constraint(field, NESTED_VALIDATION)]),
    ...(isConditional ? [constraint(field, CONDITIONAL_VALIDATION)] : []),
  ];
}

const constraint = (field: string, type: string, name = ''): string => JSON.stringify([field, type, name]);
