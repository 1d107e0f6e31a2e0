import { copyInside, MAX_DEPTH } from './copy-plain.js';
import { declaredFields, type DeclaredField, type Dto } from './rules/declared.js';
import { areAllDeclared } from './rules/all-declared.js';

type JsonObject = Record<string, unknown>;

/** Makes the DTO of a valid JSON object. */
type Check = (given: JsonObject, depth: number) => object | typeof REFUSED;

/** Makes the value of a DTO's field. */
type CheckField = (value: unknown, depth: number, parent: JsonObject) => unknown;

/** Not undefined, which is the value of an absent field. */
const REFUSED = Symbol('refused');

/** null: the DTO has rules that only class-validator can check. */
const CHECKS = new WeakMap<Dto, Check | null>();

/**
 * The instance that `checkWithMessages` returns for a valid value; undefined when the value is invalid, or the DTO has rules
 * that are not declared by the decorators of `rules/`. It does not report the faults.
 */
export function checkCompiled<T extends object>(dto: new () => T, raw: unknown): T | undefined {
  const check = checkOf(dto);
  if (check === null || !isJsonObject(raw)) return undefined;
  const made = check(raw, 1);
  return made instanceof dto ? made : undefined;
}

/** Whether a DTO has a compiled check. */
export const isCompiled = (dto: Dto): boolean => checkOf(dto) !== null;

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkOf(dto: Dto): Check | null {
  const known = CHECKS.get(dto);
  if (known !== undefined) return known;
  const compiled = compile(dto);
  CHECKS.set(dto, compiled);
  return compiled;
}

/** Compiles the check of one class. Nested classes are compiled at their first use. */
function compile(dto: Dto): Check | null {
  const declared = declaredFields(dto);
  if (declared.size === 0 || !areAllDeclared(dto, declared) || !isPlain(dto, declared)) return null;
  const fields = new Map([...declared].map(([name, field]) => [name, compileField(field)] as const));
  const required = [...declared.values()].filter(({ presence }) => presence.optional !== true).length;
  return (given, depth) => {
    const made: unknown = new dto();
    if (!isJsonObject(made)) return REFUSED;
    let missing = required;
    for (const name of Object.keys(given)) {
      const field = fields.get(name);
      if (field === undefined) return REFUSED;
      const value = field.check(given[name], depth, given);
      if (value === REFUSED) return REFUSED;
      made[name] = value;
      if (field.isRequired) missing -= 1;
    }
    return missing === 0 ? made : REFUSED;
  };
}

/**
 * Whether the class only declares fields, each with a rule. class-transformer skips names that an object already has, and
 * class-validator skips fields without a rule.
 */
function isPlain(dto: Dto, declared: ReadonlyMap<string, DeclaredField>): boolean {
  const preset: unknown[] = Object.values(new dto());
  return (
    preset.every((value) => value === undefined) &&
    [...declared].every(
      ([name, { rules, nested, isAsGiven }]) =>
        rules.length > 0 && !(name in dto.prototype) && !(nested !== undefined && isAsGiven === true),
    )
  );
}

function compileField(field: DeclaredField): {
  readonly isRequired: boolean;
  readonly check: CheckField;
} {
  const { rules, presence, itemsObey, nested, isAsGiven = false, convert } = field;
  const { optional = false, nullable = false } = presence;
  const inside = nested === undefined ? copied : nestedAs(nested);
  const check: CheckField = (given, depth, parent) => {
    if (given === undefined) return optional ? undefined : REFUSED;
    if (given === null && nullable) return null;
    const value = convert === undefined ? given : convert(given);
    for (const rule of rules) if (rule(value) !== null) return REFUSED;
    if (itemsObey !== undefined && !itemsObey(value)) return REFUSED;
    if (convert !== undefined || typeof value !== 'object' || value === null) return value;
    return isAsGiven && depth === 1 ? value : inside(value, depth + 1, parent);
  };
  return { isRequired: !optional, check };
}

const copied: CheckField = (value, depth) =>
  typeof value === 'object' && value !== null ? (copyInside(value, depth) ?? REFUSED) : value;

/** An object of another DTO, or a list of them. */
function nestedAs(choose: (parent: JsonObject) => Dto): CheckField {
  const one: CheckField = (value, depth, parent) => {
    const check = checkOf(choose(parent));
    return check === null || depth > MAX_DEPTH || !isJsonObject(value) ? REFUSED : check(value, depth);
  };
  return (value, depth, parent) => {
    if (!Array.isArray(value)) return one(value, depth, parent);
    if (depth > MAX_DEPTH) return REFUSED;
    const items: unknown[] = [];
    for (const item of value) {
      const made = one(item, depth + 1, parent);
      if (made === REFUSED) return REFUSED;
      items.push(made);
    }
    return items;
  };
}
