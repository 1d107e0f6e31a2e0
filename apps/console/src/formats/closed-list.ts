/** Whether a text is one of the keys of a closed list. */
export const isKey = <Key extends string>(
  closed: Readonly<Record<Key, unknown>>,
  text: string | null | undefined,
): text is Key => text != null && Object.hasOwn(closed, text);

/** The keys of a closed list, in its order. */
export const keysOf = <Key extends string>(closed: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(closed).filter((key) => isKey(closed, key));

/** The keys with their labels, to choose from. */
export const choicesOf = <Key extends string>(closed: Readonly<Record<Key, { label: string }>>) =>
  keysOf(closed).map((value) => ({ value, label: closed[value].label }));
