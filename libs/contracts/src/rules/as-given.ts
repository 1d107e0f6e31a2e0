const FIELDS = new WeakMap<object, Set<string>>();

/**
 * Leaves a field's content as JSON.parse gave it: `checkPlain` asks the field's own rule and looks no further, so
 * that whoever checks the content later sees all of it.
 */
export function AsGiven(): PropertyDecorator {
  return (target, property) => {
    FIELDS.set(target, (FIELDS.get(target) ?? new Set()).add(String(property)));
  };
}

/** Parts a DTO's fields as given from those that are to be walked through. */
export function setAside(dto: new () => object, raw: object): { asGiven: object; rest: object } {
  const prototype: object = dto.prototype;
  const names = FIELDS.get(prototype);
  if (names === undefined) return { asGiven: {}, rest: raw };
  const fields: [string, unknown][] = Object.entries(raw);
  return {
    asGiven: Object.fromEntries(fields.filter(([name]) => names.has(name))),
    rest: Object.fromEntries(fields.filter(([name]) => !names.has(name))),
  };
}
