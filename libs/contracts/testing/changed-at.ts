/** Removes the field. */
export const ABSENT = Symbol('absent');

/** A copy of a JSON value with another value at a path such as `data.wireEventInfo.exceptionInfo.0`; for tests. */
export function changedAt(given: unknown, path: string, value: unknown): unknown {
  return changed(given, path.split('.'), value);
}

function changed(given: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof given !== 'object' || given === null) throw new Error(`no object has a field ${name}`);
  const fields = new Map<string, unknown>(Object.entries(given));
  const next = changed(fields.get(name), rest, value);
  if (next === ABSENT) fields.delete(name);
  else fields.set(name, next);
  return Array.isArray(given) ? [...fields.values()] : Object.fromEntries(fields);
}
