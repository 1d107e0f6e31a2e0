/** The message for an invalid value, which names the rule and never the value; null for a valid one. */
export type Rule = (value: unknown) => string | null;

/** Whether a field may be absent, and whether it may be `null`. */
export interface Presence {
  readonly optional?: boolean;
  readonly nullable?: boolean;
}

export type Dto = new () => object;

/** A field of another type than text in a query. */
export interface QueryText {
  /** The value of a text; undefined for any other text. */
  readonly read: (given: unknown) => unknown;
  /** The message for a text that is not a value, or is one that breaks the rules. */
  readonly message: string;
}

/** One field as the decorators of this folder declare it. */
export interface DeclaredField {
  /** The first checks the JSON type; see `Field`. */
  readonly rules: readonly Rule[];
  readonly presence: Presence;
  /** Whether each item of the field's list is valid. */
  readonly itemsObey?: (list: unknown) => boolean;
  /** The DTO of the field's object or objects, which can depend on the enclosing object. */
  readonly nested?: (parent: Readonly<Record<string, unknown>>) => Dto;
  readonly isAsGiven?: boolean;
  /** Makes the field's value from the JSON value; the rules check what it makes. */
  readonly convert?: (given: unknown) => unknown;
  readonly inQuery?: QueryText;
}

const FIELDS = new WeakMap<object, Map<string, DeclaredField>>();
const NOTHING: DeclaredField = { rules: [], presence: {} };

/** Keeps a part of a field's declaration as data, since only class-validator itself can read its constraints. */
export function declares(part: Partial<DeclaredField>): PropertyDecorator {
  return (target, property) => {
    const fields = FIELDS.get(target) ?? new Map<string, DeclaredField>();
    const name = String(property);
    FIELDS.set(target, fields.set(name, { ...(fields.get(name) ?? NOTHING), ...part }));
  };
}

/** The fields of a DTO by name, with inherited ones; a redeclared field replaces the inherited one. */
export function declaredFields(dto: { readonly prototype: object }): ReadonlyMap<string, DeclaredField> {
  const fields = new Map<string, DeclaredField>();
  for (const prototype of prototypesOf(dto)) {
    for (const [name, field] of FIELDS.get(prototype) ?? []) fields.set(name, field);
  }
  return fields;
}

/** The prototypes of a class, the base class first. */
function prototypesOf(dto: { readonly prototype: object }): object[] {
  const prototypes: object[] = [];
  let prototype: object | null = dto.prototype;
  while (prototype !== null) {
    prototypes.unshift(prototype);
    prototype = Reflect.getPrototypeOf(prototype);
  }
  return prototypes;
}
