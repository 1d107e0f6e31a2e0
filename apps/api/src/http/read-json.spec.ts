import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BodyRefusedError, readJson } from './read-json.js';

const read = (text: string): unknown => readJson(Buffer.from(text));
const nested = (depth: number, [open, close] = ['[', ']']): string =>
  open.repeat(depth) + close.repeat(depth);

/** Texts with the characters of JSON's syntax. */
const text = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ':', ',', ' ', 'é', '\n', '__proto__'),
});
/**
 * Without backslashes: once JSON.parse has read such a key, it reads other keys that begin with an escape as that one
 * (https://github.com/nodejs/node/issues/63785). A request with such a key is refused in either case, as an unknown field.
 */
const key = text.map((name) => name.replaceAll('\\', '/'));
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.constantFrom(null, true),
    fc.array(tie('value')),
    fc.dictionary(key, tie('value')),
  ),
})).value;

describe('readJson', () => {
  it('reads every JSON text as JSON.parse does', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
        const written = JSON.stringify(value, null, indent);
        expect(read(written)).toEqual(JSON.parse(written));
      }),
    );
  });

  it('refuses a name that occurs twice in one JSON object, at any depth', () => {
    fc.assert(
      fc.property(json, key, (value, name) => {
        const [inner, quoted] = [JSON.stringify(value), JSON.stringify(name)];
        expect(() => read(`[${inner},{${quoted}:${inner},"other":0,${quoted}:0}]`)).toThrow(
          new BodyRefusedError(
            400,
            `The body names "${quoted.slice(1, -1).slice(0, 100)}" twice in one object.`,
          ),
        );
      }),
    );
  });

  it('refuses a repeated name in a large JSON body without searching for the name', () => {
    const large = JSON.stringify('x'.repeat(256 * 1024));
    expect(() => read(`{"a":${large},"a":0}`)).toThrow(
      new BodyRefusedError(400, 'The body names a field twice in one object.'),
    );
  });

  it('accepts objects of 2,000 names each in a JSON body, counted without nested ones, and refuses one of 2,001', () => {
    const object = (names: number): string =>
      `{${Array.from({ length: names }, (_, index) => `"n${String(index)}":{"a":":"}`).join(',')}}`;
    expect(read(`[${object(2_000)},${object(2_000)}]`)).toHaveLength(2);
    expect(() => read(`[{"a":1},${object(2_001)}]`)).toThrow(
      new BodyRefusedError(400, 'An object of the body has more than 2000 names.'),
    );
  });

  it('accepts 64 levels of nesting in a JSON body and refuses the 65th', () => {
    expect(read(nested(64))).toBeDefined();
    expect(read(`{"a":${nested(63)}}`)).toBeDefined();
    expect(read(`"${nested(100)}"`)).toBe(nested(100));
    for (const deep of [nested(65), `{"a":${nested(64)}}`, '['.repeat(65), '{"a":'.repeat(65)])
      expect(() => read(deep)).toThrow(
        new BodyRefusedError(400, 'The body is nested deeper than 64 levels.'),
      );
  });

  it.each(['{', '"', '"\\', '[1,]', '{"a":1', 'nothing', '{"a":1}}', '\\"'])(
    'refuses %s as invalid JSON',
    (broken) => {
      expect(() => read(broken)).toThrow(new BodyRefusedError(400, 'The body is not valid JSON.'));
    },
  );

  it('refuses a body that is not UTF-8, and reads an empty text as no body', () => {
    expect(() => readJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(
      new BodyRefusedError(400, 'The body is not valid UTF-8.'),
    );
    expect(read('')).toBeUndefined();
    expect(read(' \n')).toBeUndefined();
  });
});
