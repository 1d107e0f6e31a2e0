import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { checkCompiled } from './compiled-check.js';
import { copyPlain, NOT_KNOWN } from './copy-plain.js';
import { fieldPath, itemPath, type FieldFault } from './field-fault.js';
import { setAside } from './rules/as-given.js';
import { brokenItems, EACH_ITEM } from './rules/each-item.js';
import { RULE } from './rules/rule.js';

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: FieldFault[] };

/** Limits the answer to a hostile request; real mistakes are fewer. */
const MAX_FAULTS = 100;

/**
 * Checks a value from JSON.parse against a DTO's rules and returns all faults at once. Only instants are converted, unknown
 * fields are faults, and the given value is not changed. The compiled check accepts valid values; only invalid ones go through
 * class-validator, which words the faults.
 */
export function checkPlain<T extends object>(dto: new () => T, raw: unknown): Checked<T> {
  const value = checkCompiled(dto, raw);
  return value === undefined ? checkWithMessages(dto, raw) : { ok: true, value };
}

/** The same check by class-transformer and class-validator: 15 times slower, with a message for every fault. */
export function checkWithMessages<T extends object>(dto: new () => T, raw: unknown): Checked<T> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return refused([{ field: 'body', message: 'must be a JSON object' }]);
  }
  const { asGiven, rest } = setAside(dto, raw);
  const copied = copyPlain(rest);
  if (!copied.ok) return refused(copied.faults);
  const value = Object.assign(plainToInstance(dto, copied.copy), asGiven);
  const errors = validateSync(value, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });
  const faults = [...copied.faults, ...errors.flatMap((error) => flatten(error, ''))];
  return faults.length === 0 ? { ok: true, value } : refused(faults);
}

function refused(faults: FieldFault[]): { ok: false; faults: FieldFault[] } {
  if (faults.length <= MAX_FAULTS) return { ok: false, faults };
  const more = String(faults.length - MAX_FAULTS);
  const rest = { field: 'body', message: `has ${more} faults beyond the ${String(MAX_FAULTS)} listed` };
  return { ok: false, faults: [...faults.slice(0, MAX_FAULTS), rest] };
}

/** class-validator's tree as a list of paths. The content of a field that breaks its own rule is not reported. */
function flatten(error: ValidationError, parent: string): FieldFault[] {
  const isItem = Array.isArray(error.target);
  const field = isItem ? itemPath(parent, error.property) : fieldPath(parent, error.property);
  const constraints = error.constraints ?? {};
  const own = Object.keys(constraints).filter((name) => name.startsWith(RULE));
  if (own.length > 0) return own.toSorted().map((name) => ({ field, message: constraints[name] ?? '' }));
  if ('whitelistValidation' in constraints) return [{ field, message: NOT_KNOWN }];
  const others = Object.entries(constraints).filter(([name]) => name !== EACH_ITEM);
  const broken = brokenItems(error);
  const inside = (error.children ?? []).filter((child) => !broken.has(child.property));
  return [
    ...others.map(([, message]) => ({ field, message })),
    ...[...broken].map(([index, message]) => ({ field: itemPath(field, index), message })),
    ...inside.flatMap((child) => flatten(child, field)),
  ];
}
