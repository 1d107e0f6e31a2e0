import { fieldPath, itemPath, type FieldFault } from './field-fault.js';

/** No DTO is nested deeper; deeper values could exhaust the stack of a recursive function. */
export const MAX_DEPTH = 16;
/** No DTO has so many objects, lists and fields, or so many values; class-validator needs 2 s for 180,000 objects. */
const MAX_FIELDS = 2_000;
const MAX_VALUES = 25_000;
export const NOT_KNOWN = 'is not a known field';

/** Faults found in a JSON value. */
interface Findings {
  readonly faults: FieldFault[];
  /** Fields, objects and lists seen so far. */
  fields: number;
  /** Items of lists seen so far. */
  values: number;
  /** Why the value is not copied; the walk stops there. */
  refusal: FieldFault | null;
}

const noFindings = (): Findings => ({ faults: [], fields: 0, values: 0, refusal: null });

/** A copy of a JSON object that is safe for class-transformer, or the faults that prevent one. */
export type PlainCopy =
  | { readonly ok: true; readonly copy: object; readonly faults: FieldFault[] }
  | { readonly ok: false; readonly faults: FieldFault[] };

/**
 * Copies a JSON object and finds what class-transformer handles wrongly: deep nesting, and names that every object has. It
 * drops `toString` and `__proto__` silently, and calls a `constructor`. The depth limit also limits the stack of later
 * recursive functions, and the other limits their time.
 */
export function copyPlain(raw: object): PlainCopy {
  const findings = noFindings();
  const copy = copyObject(raw, '', 1, findings);
  if (findings.refusal !== null) return { ok: false, faults: [findings.refusal] };
  return { ok: true, copy, faults: findings.faults };
}

/** A copy of a field's value at a depth; undefined where `copyPlain` would find a fault. */
export function copyInside(given: object, depth: number): object | undefined {
  const findings = noFindings();
  const copy = copyNested(given, '', depth, findings);
  return findings.faults.length === 0 && findings.refusal === null ? copy : undefined;
}

function copyObject(given: object, path: string, depth: number, findings: Findings): object {
  const copy: Record<string, unknown> = {};
  const fields: [string, unknown][] = Object.entries(given);
  count(fields.length, 0, findings);
  if (findings.refusal !== null) return copy;
  for (const [name, value] of fields) {
    if (name in Object.prototype) findings.faults.push({ field: fieldPath(path, name), message: NOT_KNOWN });
    else if (typeof value !== 'object' || value === null) copy[name] = value;
    else copy[name] = copyNested(value, fieldPath(path, name), depth + 1, findings);
  }
  return copy;
}

function count(fields: number, values: number, findings: Findings): void {
  findings.fields += fields;
  findings.values += values;
  if (findings.fields > MAX_FIELDS || findings.values > MAX_VALUES)
    findings.refusal ??= {
      field: 'body',
      message: `has more than ${String(MAX_FIELDS)} fields, or ${String(MAX_VALUES)} values`,
    };
}

function copyNested(given: object, path: string, depth: number, findings: Findings): object {
  if (depth > MAX_DEPTH)
    findings.refusal ??= { field: path, message: `is nested deeper than ${String(MAX_DEPTH)} levels` };
  count(1, Array.isArray(given) ? given.length : 0, findings);
  if (findings.refusal !== null) return {};
  if (!Array.isArray(given)) return copyObject(given, path, depth, findings);
  return given.map((item: unknown, index) =>
    typeof item === 'object' && item !== null
      ? copyNested(item, itemPath(path, index), depth + 1, findings)
      : item,
  );
}
