import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { RULE } from './rules/rule.js';

/** One broken rule: where, and which rule. The value is never repeated, since it may be an account number. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: FieldFault[] };

/** No shape of this product is nested deeper; hostile ones would exhaust the stack of whoever walks them. */
const MAX_DEPTH = 16;
const MAX_FAULTS = 100;
const NOT_KNOWN = 'is not a known field';

/**
 * Checks a value, as JSON.parse gave it, against a DTO's rules. All faults at once; nothing is converted, and
 * unknown fields are faults.
 */
export function checkPlain<T extends object>(dto: new () => T, raw: unknown): Checked<T> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { ok: false, faults: [{ field: 'body', message: 'must be a JSON object' }] };
  }
  const { faults, tooDeep } = inspect(raw);
  if (tooDeep) return { ok: false, faults };
  const value = plainToInstance(dto, raw);
  const errors = validateSync(value, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });
  const all = [...faults, ...errors.flatMap((error) => flatten(error, ''))];
  return all.length === 0 ? { ok: true, value } : { ok: false, faults: all.slice(0, MAX_FAULTS) };
}

/**
 * What class-transformer would hide or fall over: names that every object has (`constructor`, `__proto__`,
 * `toString`), which it drops in silence, and nesting without end. Iterative, so that depth costs no stack.
 */
function inspect(raw: object): { faults: FieldFault[]; tooDeep: boolean } {
  const faults: FieldFault[] = [];
  const open: { value: object; path: string; depth: number }[] = [{ value: raw, path: '', depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > MAX_DEPTH) {
      return {
        faults: [{ field: next.path, message: `is nested deeper than ${String(MAX_DEPTH)} levels` }],
        tooDeep: true,
      };
    }
    const isArray = Array.isArray(next.value);
    for (const [name, value] of Object.entries(next.value) as [string, unknown][]) {
      const path = isArray ? `${next.path}[${name}]` : join(next.path, name);
      if (!isArray && name in Object.prototype) faults.push({ field: path, message: NOT_KNOWN });
      if (typeof value === 'object' && value !== null) open.push({ value, path, depth: next.depth + 1 });
    }
  }
  return { faults, tooDeep: false };
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** class-validator's tree as a list of paths. A field that breaks its own rule is not asked about its inside. */
function flatten(error: ValidationError, parent: string): FieldFault[] {
  const isIndex = /^\d+$/.test(error.property);
  const field = isIndex ? `${parent}[${error.property}]` : join(parent, error.property);
  const constraints = error.constraints ?? {};
  const own = constraints[RULE];
  if (own !== undefined) return [{ field, message: own }];
  if ('whitelistValidation' in constraints) return [{ field, message: NOT_KNOWN }];
  const others = Object.values(constraints).map((message) => ({ field, message }));
  return [...others, ...(error.children ?? []).flatMap((child) => flatten(child, field))];
}
