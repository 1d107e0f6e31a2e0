import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ABSENT, changedAt } from '../../testing/changed-at.js';
import { checkedChange, faultsOf } from '../../testing/faults-of.js';
import { faultPath, placesIn, type JsonPlace } from '../../testing/json-paths.js';
import { buildEnvelope } from './build-envelope.js';
import { achExample, wireExample } from './examples.js';

const EXAMPLES = [
  { ...achExample(), consumers: ['acme', 'example'] },
  { ...wireExample(), consumers: ['acme', 'example'] },
];
/** Names of properties that every JavaScript object has, such as `__proto__`, and other unknown names. */
const UNKNOWN = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'unknown',
  'then',
  '0',
  '',
  'Amount',
  ' amount',
];
/** A text that is recognised in every message. */
const MARKER = 'ACCOUNT-4711';

const isObject = ({ value }: JsonPlace): boolean => typeof value === 'object' && !Array.isArray(value);

/** A value of every other JSON type. Each must cause exactly one fault. */
function ofOtherTypes(value: unknown): unknown[] {
  const others = [null, 4711.25, true, `${MARKER}\u0000`, { [MARKER]: MARKER }, [MARKER]];
  const typeOf = (given: unknown): string =>
    given === null ? 'null' : Array.isArray(given) ? 'array' : typeof given;
  return others.filter((other) => typeOf(other) !== typeOf(value));
}

/** Adds a field as JSON.parse does: `__proto__` is an ordinary field. */
const withField = (given: unknown, name: string, value: unknown): object =>
  Object.fromEntries([...Object.entries(Object(given)), [name, value]]);

/** A deeply frozen copy, whose modification throws. */
const frozen = (given: unknown): unknown =>
  JSON.parse(JSON.stringify(given), (_name, value: unknown) => Object.freeze(value));

describe.each(EXAMPLES)('every path of a complete $eventType', (example) => {
  const places = placesIn(example);

  it.each(places)('accepts only one JSON type at $path, and not null', ({ path, value }) => {
    for (const other of ofOtherTypes(value)) {
      const faults = faultsOf(changedAt(example, path, other));
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(/: must (be|not contain) /);
      expect(faults[0]?.split(': ')[0]).toBe(faultPath(path));
      expect(faults[0]).not.toMatch(/ACCOUNT-4711|4711\.25/);
    }
  });

  const objects = [{ path: '', value: example }, ...places.filter(isObject)];
  it.each(objects)('refuses unknown fields in "$path"', ({ path, value }) => {
    fc.assert(
      fc.property(fc.constantFrom(...UNKNOWN), fc.jsonValue({ maxDepth: 2 }), (name, extra) => {
        const changed = withField(value, name, extra);
        const faults = faultsOf(path === '' ? changed : changedAt(example, path, changed));
        const field = path === '' ? name : `${faultPath(path)}.${name}`;
        // The value of a hostile name is not checked; that of another unknown name is, and may contain hostile names.
        expect(faults).toContain(`${field}: is not a known field`);
        expect(faults.every((fault) => fault.startsWith(field))).toBe(true);
      }),
    );
  });

  it.each(objects)('refuses the fields of "$path" in upper case', ({ path, value }) => {
    for (const [name, inside] of Object.entries(Object(value))) {
      const changed = withField(value, name.toUpperCase(), inside);
      const faults = faultsOf(path === '' ? changed : changedAt(example, path, changed));
      expect(faults).toHaveLength(name === name.toUpperCase() ? 0 : 1);
    }
  });

  it('reports the faults at all paths of a change at once', () => {
    const leaves = places.filter(({ value }) => typeof value !== 'object');
    const broken = leaves.reduce<unknown>((given, { path }) => changedAt(given, path, null), example);
    // Without a valid eventType, the fields of data are unknown.
    const known = changedAt(broken, 'eventType', example.eventType);
    const expected = leaves.map(({ path }) => faultPath(path)).filter((path) => path !== 'eventType');
    const fields = faultsOf(known).map((fault) => fault.replace(/: .*/, ''));
    expect(fields.toSorted()).toEqual(expected.toSorted());
  });

  it('does not modify the change that it checks', () => {
    const given = frozen(example);
    const broken = frozen(changedAt(changedAt(example, 'data', { unknown: { a: [1] } }), 'eventType', 1));
    expect(faultsOf(given)).toEqual([]);
    expect(faultsOf(broken)).toHaveLength(2);
    expect(given).toEqual(example);
  });

  const fields = places.filter(({ path }) => !/\d$/.test(path));
  const optional = fields.filter(({ path }) => faultsOf(changedAt(example, path, ABSENT)).length === 0);
  it('omits any combination of absent fields from the body', () => {
    const body = fc.subarray(optional).map((absent) => {
      // The innermost field first, since removing a field removes all fields below it.
      const paths = absent
        .map(({ path }) => path)
        .toSorted()
        .toReversed();
      return buildEnvelope(checkedChange(paths.reduce<unknown>(remove, example)), MARKER).body;
    });
    fc.assert(
      fc.property(body, (text) => {
        expect(text).not.toMatch(/null|undefined/);
        const whole = buildEnvelope(checkedChange(example), MARKER).body;
        expect(keysOf(text)).toEqual(keysOf(whole).filter((key) => keysOf(text).includes(key)));
      }),
    );
  });
});

const remove = (given: unknown, path: string): unknown => changedAt(given, path, ABSENT);

/** The paths of a JSON text, in its order. */
const keysOf = (json: string): string[] => placesIn(JSON.parse(json)).map(({ path }) => path);
