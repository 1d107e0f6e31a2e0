/** Shown of a field's name: a name that a request invents may be as long as the request. */
const MAX_NAME = 100;

/** The path of a field of an object, e.g. `data.achEventInfo.amount`. */
export function fieldPath(parent: string, name: string): string {
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  return parent === '' ? shown : `${parent}.${shown}`;
}

/** The path of an item of an array, e.g. `data.wireEventInfo.exceptionInfo[0]`. */
export const itemPath = (parent: string, index: number | string): string => `${parent}[${String(index)}]`;
