/** The path to every property of a value, as keys. */
export const pathsOf = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [
        [key],
        ...pathsOf(inner).map((path) => [key, ...path]),
      ])
    : [];

/** A copy of `value`; `change` gets the copied object that holds the last key of `path`. */
export const changed = (
  value: object,
  path: readonly string[],
  change: (parent: Record<string, unknown>, key: string) => void,
): object => {
  const copy: Record<string, unknown> = JSON.parse(JSON.stringify(value));
  let parent = copy;
  for (const key of path.slice(0, -1)) {
    const next: Record<string, unknown> = JSON.parse(JSON.stringify(parent[key]));
    parent[key] = next;
    parent = next;
  }
  change(parent, path.at(-1) ?? '');
  return copy;
};
