import 'reflect-metadata';
import { ValidateBy, type ValidationError } from 'class-validator';
import { applyDecorators } from './apply-decorators.js';
import { declares, type Rule } from './declared.js';

/** What is wrong with an item of a list; null when nothing is. */
export type ItemRule = (item: unknown, index: number, list: readonly unknown[]) => string | null;

/** Name of the constraint, and of the metadata that keeps its rule. */
export const EACH_ITEM = 'contractItem';

/**
 * Each item of a list that passes the gate obeys a rule. The constraint only says that some item does not;
 * `brokenItems` says which.
 */
export function EachItem(gate: Rule, item: ItemRule): PropertyDecorator {
  const isObeyed = (list: unknown): boolean =>
    gate(list) !== null || !Array.isArray(list) || list.every((...given) => item(...given) === null);
  return applyDecorators(
    (target, property) => Reflect.defineMetadata(EACH_ITEM, item, target, property),
    ValidateBy({ name: EACH_ITEM, validator: { validate: isObeyed } }),
    declares({ itemsObey: isObeyed }),
  );
}

/** Every item of a refused list that breaks the list's item rule, by its index. */
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
