import { fieldPath, itemPath, type FieldFault } from './field-fault.js';

/** No DTO is nested deeper; deeper values could exhaust the stack of a recursive function. */
export const MAX_DEPTH = 16;
export const NOT_KNOWN = 'is not a known field';

/** Faults found in a JSON value. */
interface Findings {
  readonly faults: FieldFault[];
  /** Path where the value is nested too deep; the walk stops there. */
  tooDeepAt: string | null;
}

/** A copy of a JSON object that is safe for class-transformer, or the faults that prevent one. */
export type PlainCopy =
  | { readonly ok: true; readonly copy: object; readonly faults: FieldFault[] }
  | { readonly ok: false; readonly faults: FieldFault[] };

/**
 * Copies a JSON object and finds what class-transformer handles wrongly: deep nesting, and names that every object has. It
 * drops `toString` and `__proto__` silently, and calls a `constructor`. The depth limit also limits the stack of later
 * recursive functions.
 */
export function copyPlain(raw: object): PlainCopy {
  const findings: Findings = { faults: [], tooDeepAt: null };
  const copy = copyObject(raw, '', 1, findings);
  if (findings.tooDeepAt === null) return { ok: true, copy, faults: findings.faults };
  const message = `is nested deeper than ${String(MAX_DEPTH)} levels`;
  return { ok: false, faults: [{ field: findings.tooDeepAt, message }] };
}

/** A copy of a field's value at a depth; undefined where `copyPlain` would find a fault. */
export function copyInside(given: object, depth: number): object | undefined {
  const findings: Findings = { faults: [], tooDeepAt: null };
  const copy = copyNested(given, '', depth, findings);
  return findings.faults.length === 0 && findings.tooDeepAt === null ? copy : undefined;
}

function copyObject(given: object, path: string, depth: number, findings: Findings): object {
  const copy: Record<string, unknown> = {};
  const fields: [string, unknown][] = Object.entries(given);
  for (const [name, value] of fields) {
    if (name in Object.prototype) findings.faults.push({ field: fieldPath(path, name), message: NOT_KNOWN });
    else if (typeof value !== 'object' || value === null) copy[name] = value;
    else copy[name] = copyNested(value, fieldPath(path, name), depth + 1, findings);
  }
  return copy;
}

function copyNested(given: object, path: string, depth: number, findings: Findings): object {
  if (depth > MAX_DEPTH) findings.tooDeepAt ??= path;
  if (findings.tooDeepAt !== null) return {};
  if (!Array.isArray(given)) return copyObject(given, path, depth, findings);
  return given.map((item: unknown, index) =>
    typeof item === 'object' && item !== null
      ? copyNested(item, itemPath(path, index), depth + 1, findings)
      : item,
  );
}
