import { describe, expect, it } from '@jest/globals';
import { ABSENT, changedAt } from './changed-at.js';
import { faultsOf } from './faults-of.js';
import { faultPath, placesIn } from './json-paths.js';

/** One field of a table of the contract, with values on both sides of each of its boundaries. */
export interface FieldRow {
  readonly path: string;
  readonly kind: 'text' | 'choice' | 'boolean' | 'object' | 'list';
  readonly optional?: boolean;
  readonly accepts?: readonly unknown[];
  /** Values with the message that refuses them. */
  readonly refuses?: readonly (readonly [value: unknown, message: string])[];
}

const KINDS = {
  text: { others: [null, 1, true, {}, []], message: /^must be a string$/ },
  choice: { others: [null, 1, true, {}, [], '', 'constructor'], message: /^must be one of / },
  boolean: { others: [null, 0, 'true', {}, []], message: /^must be true or false$/ },
  object: { others: [null, 1, true, 'text', [], [{}]], message: /^must be an object$/ },
  list: { others: [null, 1, true, 'text', {}], message: /^must be an array/ },
} as const;

/** A value in a test's name. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}… (${String(text.length)} long)` : text;
};

/** Tests every rule of every row with a valid change that has every field. */
export function testFields(valid: () => unknown, rows: readonly FieldRow[]): void {
  it('the table has a row for every field', () => {
    const fields = placesIn(valid()).filter(({ path }) => /^data\..*\D$/.test(path));
    expect(rows.map(({ path }) => path).toSorted()).toEqual(fields.map(({ path }) => path).toSorted());
  });

  describe.each(rows)('$path', ({ path, kind, optional, accepts, refuses }) => {
    const at = faultPath(path);
    const faultsWith = (value: unknown): string[] => faultsOf(changedAt(valid(), path, value));

    if (optional === true) {
      it(`${path} is optional`, () => {
        expect(faultsWith(ABSENT)).toEqual([]);
      });
    } else {
      it(`${path} is required`, () => {
        expect(faultsWith(ABSENT)).toEqual([`${at}: is required`]);
      });
    }

    for (const value of KINDS[kind].others) {
      it(`${path} is a ${kind}: ${shown(value)} is exactly one fault`, () => {
        const faults = faultsWith(value);
        expect(faults).toHaveLength(1);
        expect(faults[0]?.slice(0, at.length + 2)).toBe(`${at}: `);
        expect(faults[0]?.slice(at.length + 2)).toMatch(KINDS[kind].message);
      });
    }

    for (const value of kind === 'text' ? ['a\u0000b', '\ud800', 'a\udc00'] : []) {
      it(`${path} refuses ${shown(value)}`, () => {
        expect(faultsWith(value)).toEqual([`${at}: must not contain U+0000 or unpaired surrogates`]);
      });
    }

    for (const value of accepts ?? []) {
      it(`${path} accepts ${shown(value)}`, () => {
        expect(faultsWith(value)).toEqual([]);
      });
    }

    for (const [value, message] of refuses ?? []) {
      it(`${path} refuses ${shown(value)}: ${message}`, () => {
        expect(faultsWith(value)).toEqual([`${at}: ${message}`]);
      });
    }
  });
}
