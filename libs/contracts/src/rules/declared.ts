/** What is wrong with a value, in words that name the rule and never the value; null when nothing is. */
export type Rule = (value: unknown) => string | null;

/** Whether a field may be absent, and whether it may be `null`. */
export interface Presence {
  readonly optional?: boolean;
  readonly nullable?: boolean;
}

export type Dto = new () => object;

/** What the decorators of this room declare of one field. */
export interface DeclaredField {
  /** The first is the gate; see `Field`. */
  readonly rules: readonly Rule[];
  readonly presence: Presence;
  /** Whether each item of the field's list obeys the list's item rule. */
  readonly itemsObey?: (list: unknown) => boolean;
  /** The DTO of the object, or of the objects, that the field holds; the object around it may decide. */
  readonly nested?: (parent: Readonly<Record<string, unknown>>) => Dto;
  readonly isAsGiven?: boolean;
}

const FIELDS = new WeakMap<object, Map<string, DeclaredField>>();
const NOTHING: DeclaredField = { rules: [], presence: {} };

/** Keeps a part of what a field's decorators say, as data: class-validator keeps it as constraints, which only it can ask. */
export function declares(part: Partial<DeclaredField>): PropertyDecorator {
  return (target, property) => {
    const fields = FIELDS.get(target) ?? new Map<string, DeclaredField>();
    const name = String(property);
    FIELDS.set(target, fields.set(name, { ...(fields.get(name) ?? NOTHING), ...part }));
  };
}

/** The fields of a DTO by their names, inherited ones included; one that is declared anew replaces the inherited one. */
export function declaredFields(dto: Dto): ReadonlyMap<string, DeclaredField> {
  const fields = new Map<string, DeclaredField>();
  for (const prototype of prototypesOf(dto)) {
    for (const [name, field] of FIELDS.get(prototype) ?? []) fields.set(name, field);
  }
  return fields;
}

/** The prototypes of a class, the eldest first. */
function prototypesOf(dto: Dto): object[] {
  const prototypes: object[] = [];
  let prototype: object | null = dto.prototype;
  while (prototype !== null) {
    prototypes.unshift(prototype);
    prototype = Reflect.getPrototypeOf(prototype);
  }
  return prototypes;
}
