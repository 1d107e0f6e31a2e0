import { checkPlain, type Checked } from './check-plain.js';
import { declaredFields } from './rules/declared.js';

/** Checks a query like a JSON object, after its texts have been read as booleans and numbers where the DTO has these. */
export function checkQuery<T extends object>(dto: new () => T, raw: object): Checked<T> {
  const declared = declaredFields(dto);
  const given: [string, unknown][] = Object.entries(raw);
  const values = given.map(([name, text]) => {
    const inQuery = declared.get(name)?.inQuery;
    // null breaks the rules of every such field.
    return [name, inQuery === undefined ? text : (inQuery.read(text) ?? null)] as const;
  });
  const checked = checkPlain(dto, Object.fromEntries(values));
  if (checked.ok) return checked;
  const faults = checked.faults.map(({ field, message }) => ({
    field,
    message: declared.get(field)?.inQuery?.message ?? message,
  }));
  return { ok: false, faults };
}
