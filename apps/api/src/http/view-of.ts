import type { Type } from '@nestjs/common';

/** `madeBy` as the name of a column: `made_by`. */
type ColumnName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : '';

/** A row with a column for each field. A field that is any text can be an instant. */
type RowOf<Dto> = {
  readonly [Name in keyof Dto & string as ColumnName<Name>]:
    | Dto[Name]
    | (string extends NonNullable<Dto[Name]> ? Date : never);
};

/**
 * A row in the form of an answer: the fields that the class declares and no others, each from the column of its name,
 * instants as ISO 8601. So a new column is shown only when the class has it.
 * @param given the fields without such a column, or with another value
 */
export function viewOf<Dto extends object, Given extends Partial<Dto>>(
  dto: Type<Dto>,
  row: RowOf<Omit<Dto, keyof Given>>,
  given: Given,
): Dto {
  const columns = new Map<string, unknown>(Object.entries(row));
  const values = new Map<string, unknown>(Object.entries(given));
  const valueOf = (field: string): unknown => {
    if (values.has(field)) return values.get(field);
    const value = columns.get(columnOf(field));
    return value instanceof Date ? value.toISOString() : value;
  };
  return Object.assign(new dto(), Object.fromEntries(fieldsOf(dto).map((field) => [field, valueOf(field)])));
}

const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const known = new Map<Type, readonly string[]>();

/** The declared fields of a class and of those that it extends: the compiler's plugin has written them into it. */
function fieldsOf(dto: Type): readonly string[] {
  const before = known.get(dto);
  if (before !== undefined) return before;
  const fields: string[] = [];
  for (
    let one: unknown = dto;
    typeof one === 'function' && one !== Function.prototype;
    one = Object.getPrototypeOf(one)
  )
    if (Object.hasOwn(one, '_OPENAPI_METADATA_FACTORY') && '_OPENAPI_METADATA_FACTORY' in one) {
      const { _OPENAPI_METADATA_FACTORY: declared } = one;
      if (typeof declared === 'function') fields.push(...Object.keys(Object(declared())));
    }
  known.set(dto, fields);
  return fields;
}
