import 'reflect-metadata';
import { ValidateBy, type ValidationError } from 'class-validator';
import { applyDecorators } from './apply-decorators.js';
import { declares, type Rule } from './declared.js';

/** The message for an invalid item of a list; null for a valid one. */
export type ItemRule = (item: unknown, index: number, list: readonly unknown[]) => string | null;

/** Name of the constraint and of the metadata key of its rule. */
export const EACH_ITEM = 'contractItem';

/**
 * A rule for each item of a list that is valid itself. The constraint only reports that some item is invalid;
 * `brokenItems` returns which.
 */
export function EachItem(listRule: Rule, item: ItemRule): PropertyDecorator {
  const isObeyed = (list: unknown): boolean =>
    listRule(list) !== null || !Array.isArray(list) || list.every((...given) => item(...given) === null);
  return applyDecorators(
    (target, property) => Reflect.defineMetadata(EACH_ITEM, item, target, property),
    ValidateBy({ name: EACH_ITEM, validator: { validate: isObeyed } }),
    declares({ itemsObey: isObeyed }),
  );
}

/** The message for each invalid item of a list, by its index. */
export function brokenItems({ constraints, target, property, value }: ValidationError): Map<string, string> {
  const broken = new Map<string, string>();
  if (constraints?.[EACH_ITEM] === undefined || target === undefined || !Array.isArray(value)) return broken;
  const rule: ItemRule = Reflect.getMetadata(EACH_ITEM, target, property);
  const items: readonly unknown[] = value;
  for (const [index, item] of items.entries()) {
    const fault = rule(item, index, items);
    if (fault !== null) broken.set(String(index), fault);
  }
  return broken;
}
