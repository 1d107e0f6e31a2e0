/** A path in a JSON value, as `changedAt` takes it (`exceptionInfo.0`), and its value. */
export interface JsonPlace {
  readonly path: string;
  readonly value: unknown;
}

/** Every place in a JSON object below its root; for tests. */
export function placesIn(value: unknown, parent = ''): JsonPlace[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => {
    const path = parent === '' ? name : `${parent}.${name}`;
    return [{ path, value: inside }, ...placesIn(inside, path)];
  });
}

/** A path as a fault names it: `exceptionInfo.0` is `exceptionInfo[0]`. */
export const faultPath = (path: string): string => path.replace(/\.(\d+)(?=\.|$)/g, '[$1]');
