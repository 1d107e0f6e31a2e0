import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { repeatedKey } from './repeated-key.js';

describe('repeatedKey', () => {
  it.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"a":{"b":1,"c":[{"d":1,"d":2}]}}', 'd'],
    ['[{"a":1},{"a":1,"b":{},"a":[]}]', 'a'],
    [String.raw`{"a":1,"\u0061":2}`, String.raw`\u0061`],
    ['{"a" \n:1 , "a"\t: 2}', 'a'],
    [String.raw`{"\"":1,"\\":2,"\"":3}`, String.raw`\"`],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('finds the repeated key in %s', (json, key) => {
    expect(JSON.parse(json)).toBeDefined();
    expect(repeatedKey(json)).toBe(key);
  });

  it.each([
    '{"a":"a","b":"a"}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '["a","a"]',
    '"a"',
    '{"a":"\\"a\\":1,\\"a\\":"}',
  ])('finds no repeated key in %s', (json) => {
    expect(repeatedKey(json)).toBeNull();
  });

  it('finds no repeated key in a serialised value, and finds one that is inserted', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ':', ',', ' ', 'é', '\n'),
    });
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(value, text, fc.constantFrom(0, 2), (inner, key, indent) => {
        const json = JSON.stringify(inner, null, indent);
        expect(repeatedKey(json)).toBeNull();
        const name = JSON.stringify(key);
        expect(repeatedKey(`[{${name}:${json},${name}:0}]`)).toBe(name.slice(1, -1));
      }),
    );
  });
});
