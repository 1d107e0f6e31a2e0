import { fieldPath, itemPath, type FieldFault } from './field-fault.js';
import { declaredFields, type DeclaredField } from './rules/declared.js';

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: FieldFault[] };

/** Limits the answer to a hostile request; real mistakes are fewer. */
const MAX_FAULTS = 100;
/** No DTO has so many fields and items of lists. Limits the lists that have no rule for their length. */
const MAX_FIELDS = 2_000;

type JsonObject = Readonly<Record<string, unknown>>;

interface Findings {
  readonly faults: FieldFault[];
  /** Fields and items of lists seen so far; nothing beyond MAX_FIELDS is checked. */
  fields: number;
}

/**
 * Checks a value from JSON.parse against a DTO's rules and returns all faults at once. Only instants are converted, unknown
 * fields are faults, and the given value is not changed. Content without a DTO is not looked at, so the DTOs limit the depth.
 */
export function checkPlain<T extends object>(dto: new () => T, raw: unknown): Checked<T> {
  if (!isJsonObject(raw)) return refused([{ field: 'body', message: 'must be a JSON object' }]);
  const findings: Findings = { faults: [], fields: 0 };
  const value = checkObject(dto, raw, '', findings);
  if (findings.fields > MAX_FIELDS)
    return refused([{ field: 'body', message: `has more than ${String(MAX_FIELDS)} fields` }]);
  return findings.faults.length === 0 ? { ok: true, value } : refused(findings.faults);
}

function refused(faults: FieldFault[]): { ok: false; faults: FieldFault[] } {
  if (faults.length <= MAX_FAULTS) return { ok: false, faults };
  const more = String(faults.length - MAX_FAULTS);
  const rest = { field: 'body', message: `has ${more} faults beyond the ${String(MAX_FAULTS)} listed` };
  return { ok: false, faults: [...faults.slice(0, MAX_FAULTS), rest] };
}

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkObject<T extends object>(
  dto: new () => T,
  given: JsonObject,
  path: string,
  findings: Findings,
): T {
  const declared = declaredFields(dto);
  const names = Object.keys(given);
  const made: Record<string, unknown> = {};
  findings.fields += names.length;
  if (findings.fields > MAX_FIELDS) return new dto();
  for (const name of names) {
    // The instance has the order of the given fields.
    if (declared.has(name)) made[name] = undefined;
    else findings.faults.push({ field: fieldPath(path, name), message: 'is not a known field' });
  }
  for (const [name, field] of declared) {
    const value = given[name];
    if (value === undefined) {
      if (field.optional !== true)
        findings.faults.push({ field: fieldPath(path, name), message: 'is required' });
    } else if (value === null && field.nullable === true) made[name] = null;
    else made[name] = checkField(field, value, given, path, name, findings);
  }
  return Object.assign(new dto(), made);
}

/** The field's value, with its DTO's instances. After a fault it is not used. */
function checkField(
  { rules, convert, item, nested }: DeclaredField,
  given: unknown,
  parent: JsonObject,
  parentPath: string,
  name: string,
  findings: Findings,
): unknown {
  const value = convert === undefined ? given : convert(given);
  const known = findings.faults.length;
  for (const rule of rules) {
    const message = rule(value);
    if (message !== null) findings.faults.push({ field: fieldPath(parentPath, name), message });
    if (message !== null && rule === rules[0]) break;
  }
  if (findings.faults.length > known || (item === undefined && nested === undefined)) return value;
  const path = fieldPath(parentPath, name);
  const dto = nested?.(parent);
  const inside = (one: unknown, at: string): unknown =>
    dto !== undefined && isJsonObject(one) ? checkObject(dto, one, at, findings) : one;
  if (!Array.isArray(value)) return inside(value, path);
  findings.fields += value.length;
  if (findings.fields > MAX_FIELDS) return value;
  return value.map((one: unknown, index) => {
    const message = item?.(one, index, value) ?? null;
    if (message === null) return inside(one, itemPath(path, index));
    findings.faults.push({ field: itemPath(path, index), message });
    return one;
  });
}
