import { declaredFields, declares, type Dto } from './declared.js';

/**
 * Keeps a field's content unchecked and uncopied: `checkPlain` applies only the field's own rule, and the caller checks the
 * content later. Only for a field of the DTO that `checkPlain` is called with.
 */
export const AsGiven = (): PropertyDecorator => declares({ isAsGiven: true });

/** Separates a DTO's unchecked fields from the others. */
export function setAside(dto: Dto, raw: object): { asGiven: object; rest: object } {
  const declared = declaredFields(dto);
  const isAsGiven = (name: string): boolean => declared.get(name)?.isAsGiven === true;
  const fields: [string, unknown][] = Object.entries(raw);
  if (!fields.some(([name]) => isAsGiven(name))) return { asGiven: {}, rest: raw };
  return {
    asGiven: Object.fromEntries(fields.filter(([name]) => isAsGiven(name))),
    rest: Object.fromEntries(fields.filter(([name]) => !isAsGiven(name))),
  };
}
