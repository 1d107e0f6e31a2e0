/** The message for an invalid value, which names the rule and never the value; null for a valid one. */
export type Rule = (value: unknown) => string | null;

/** The message for an invalid item of a list; null for a valid one. */
export type ItemRule = (item: unknown, index: number, list: readonly unknown[]) => string | null;

/** Whether a field may be absent, and whether it may be `null`. */
export interface Presence {
  readonly optional?: boolean;
  readonly nullable?: boolean;
}

export type Dto = new () => object;

/** What a field has besides its rules. */
export interface FieldContent {
  /** A rule for each item of the field's list. */
  readonly item?: ItemRule;
  /** The DTO of the field's object or objects, which can depend on the enclosing object; undefined: they are not checked. */
  readonly nested?: (parent: Readonly<Record<string, unknown>>) => Dto | undefined;
  /** Makes the field's value from the JSON value; the rules check what it makes. */
  readonly convert?: (given: unknown) => unknown;
  /** How a query's text is read, for a field of another type than text. */
  readonly inQuery?: {
    /** The value of a text; undefined for any other text. */
    readonly read: (given: unknown) => unknown;
    /** The message for a text that is not a value, or is one that breaks the rules. */
    readonly message: string;
  };
}

/** One field as the decorators of this folder declare it. */
export interface DeclaredField extends Presence, FieldContent {
  /** The first checks the JSON type; see `Field`. */
  readonly rules: readonly Rule[];
}

const FIELDS = new WeakMap<object, Map<string, DeclaredField>>();
const OF_DTO = new WeakMap<object, ReadonlyMap<string, DeclaredField>>();

/** Keeps a field of a class. */
export function declare(prototype: object, name: string, field: DeclaredField): void {
  const fields = FIELDS.get(prototype) ?? new Map<string, DeclaredField>();
  FIELDS.set(prototype, fields.set(name, field));
}

/** The fields of a DTO by name, with inherited ones; a redeclared field replaces the inherited one. */
export function declaredFields(dto: { readonly prototype: object }): ReadonlyMap<string, DeclaredField> {
  let fields = OF_DTO.get(dto);
  if (fields === undefined) {
    fields = fieldsOf(dto.prototype);
    OF_DTO.set(dto, fields);
  }
  return fields;
}

/** The fields of a class before the inherited ones. */
function fieldsOf(prototype: object | null): ReadonlyMap<string, DeclaredField> {
  if (prototype === null) return new Map();
  const own = [...(FIELDS.get(prototype) ?? [])];
  return new Map([...own, ...fieldsOf(Reflect.getPrototypeOf(prototype)), ...own]);
}
