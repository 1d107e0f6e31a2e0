import assert from 'node:assert/strict';
import { checkWithMessages } from '../src/check-plain.js';
import { checkCompiled } from '../src/compiled-check.js';
import type { Dto } from '../src/rules/declared.js';

export { isCompiled } from '../src/compiled-check.js';
export { declaredFields, type Dto } from '../src/rules/declared.js';

/**
 * Compares both ways of checking a value, which must neither change it nor keep parts of it.
 * @returns whether they accept it
 */
export function expectAgreement(dto: Dto, given: unknown): boolean {
  const raw = frozen(given);
  const inWords = checkWithMessages(dto, raw);
  const compiled = checkCompiled(dto, raw);
  if (!inWords.ok) {
    assert.equal(compiled, undefined);
    return false;
  }
  assert.deepStrictEqual(compiled, inWords.value);
  // Compares the key order, which deepStrictEqual ignores.
  assert.equal(JSON.stringify(compiled), JSON.stringify(inWords.value));
  const ofWords = partsOf(inWords.value);
  const shared = (parts: ReadonlySet<unknown>): number =>
    [...partsOf(raw)].filter((part) => parts.has(part)).length;
  assert.equal(shared(partsOf(compiled)), shared(ofWords));
  return true;
}

/** A deeply frozen copy: to change it throws. */
function frozen(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const entries = Object.entries(given).map(([name, value]) => [name, frozen(value)] as const);
  return Object.freeze(
    Array.isArray(given) ? entries.map(([, value]) => value) : Object.fromEntries(entries),
  );
}

/** Every object in a value. */
function partsOf(value: unknown): Set<unknown> {
  const parts = new Set<unknown>();
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    parts.add(part);
    Object.values(part).forEach(walk);
  };
  walk(value);
  return parts;
}
