import { declaredFields, declares, type Dto } from './declared.js';

/**
 * Leaves a field's content as JSON.parse gave it: `checkPlain` asks the field's own rule and looks no further, so
 * that whoever checks the content later sees all of it. Only for a field of the DTO that `checkPlain` is called with.
 */
export const AsGiven = (): PropertyDecorator => declares({ isAsGiven: true });

/** Parts a DTO's fields as given from those that are to be walked through. */
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
