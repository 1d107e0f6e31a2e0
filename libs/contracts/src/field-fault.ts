/** One broken rule: where, and which rule. The value is never repeated, since it may be an account number. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** Limit for paths, whose names come from the sender. The paths of known fields are shorter. */
const MAX_SHOWN = 200;

/** The path of a field of an object, e.g. `data.achEventInfo.amount`. */
export const fieldPath = (parent: string, name: string): string =>
  shown(parent === '' ? name : `${parent}.${name}`);

/** The path of an item of an array, e.g. `data.wireEventInfo.exceptionInfo[0]`. */
export const itemPath = (parent: string, index: number | string): string =>
  shown(`${parent}[${String(index)}]`);

/** A path that was cut does not grow any more; half a surrogate pair becomes U+FFFD. */
const shown = (path: string): string =>
  path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN).toWellFormed()}…` : path;
