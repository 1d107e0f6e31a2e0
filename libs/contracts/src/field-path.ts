/** Shown of a path: the names in it are the sender's, and may be as long as the request. No field of ours is deeper. */
const MAX_SHOWN = 200;

/** The path of a field of an object, e.g. `data.achEventInfo.amount`. */
export const fieldPath = (parent: string, name: string): string =>
  shown(parent === '' ? name : `${parent}.${name}`);

/** The path of an item of an array, e.g. `data.wireEventInfo.exceptionInfo[0]`. */
export const itemPath = (parent: string, index: number | string): string =>
  shown(`${parent}[${String(index)}]`);

/** A path that is cut stays as it is, whatever is added to it; half a pair of surrogates becomes U+FFFD. */
const shown = (path: string): string =>
  path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN).toWellFormed()}…` : path;
