import { describe, expect, it } from '@jest/globals';
import { Allow, IsString } from 'class-validator';
import fc from 'fast-check';
import { arbitraryChange } from '../testing/arbitrary-change.js';
import { anyValue, mutation } from '../testing/arbitrary-fault.js';
import { expectAgreement } from '../testing/expect-agreement.js';
import { checkWithMessages } from './check-plain.js';
import { checkCompiled, isCompiled } from './compiled-check.js';
import { AsGiven } from './rules/as-given.js';
import type { Dto } from './rules/declared.js';
import { Field } from './rules/rule.js';
import { Text } from './rules/text.js';
import { ListOf, Nested, NestedList, Truth, Whole } from './rules/values.js';
import { achExample, wireExample } from './status-change/examples.js';
import { BatchDto, BatchItemDto, StatusChangeDto } from './status-change/status-change.dto.js';

const anything = (): null => null;

/** Every kind of field, to any depth. */
class TreeDto {
  @Nested(() => TreeDto, { optional: true, nullable: true })
  child?: TreeDto | null;

  @NestedList(() => TreeDto, { optional: true })
  children?: TreeDto[];

  @Field(anything, {}, { optional: true })
  more?: unknown;

  @ListOf(anything, { min: 0, max: 3, items: {} }, { optional: true })
  list?: unknown[];

  @Whole({ min: 0, max: 9 }, { optional: true, nullable: true })
  whole?: number | null;
}

const tree = fc.letrec((tie) => ({
  tree: fc.record(
    {
      child: fc.oneof({ maxDepth: 18 }, fc.constant(null), tie('tree')),
      children: fc.array(tie('tree'), { maxLength: 2, depthIdentifier: 'tree' }),
      more: anyValue,
      list: fc.array(anyValue, { maxLength: 3 }),
      whole: fc.constantFrom(null, 0, 9),
    },
    { requiredKeys: [] },
  ),
})).tree;

/** A tree of one branch, at and beyond the depth limit. */
const branch = fc
  .tuple(fc.array(fc.constantFrom('child', 'children'), { minLength: 5, maxLength: 18 }), anyValue)
  .map(([names, end]) =>
    names.reduce<unknown>((inner, name) => ({ [name]: name === 'child' ? inner : [inner] }), { more: end }),
  );

describe('checkCompiled', () => {
  it('the compiled check agrees with class-validator on every valid change', () => {
    fc.assert(
      fc.property(arbitraryChange, (change) => {
        expect(expectAgreement(StatusChangeDto, change)).toBe(true);
        expect(expectAgreement(BatchItemDto, { ...change, idempotencyKey: 'key' })).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('the compiled check agrees with class-validator on mutated changes', () => {
    const verdicts = { valid: 0, faulty: 0 };
    fc.assert(
      fc.property(
        fc.oneof(arbitraryChange, fc.constantFrom(achExample(), wireExample())),
        mutation,
        fc.constantFrom(StatusChangeDto, BatchItemDto),
        (change, mutate, dto) => {
          verdicts[expectAgreement(dto, mutate(change)) ? 'valid' : 'faulty'] += 1;
        },
      ),
      { numRuns: 1_000 },
    );
    // About 117 of the thousand are valid, with a deviation of 10.
    expect(Math.min(verdicts.valid, verdicts.faulty)).toBeGreaterThan(50);
  });

  it('the compiled check agrees with class-validator on batches, and leaves their items unchecked', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 3 }), mutation, (events, mutate) => {
        expectAgreement(BatchDto, { events });
        expectAgreement(BatchDto, mutate({ events }));
      }),
    );
    const events = [achExample(), { toString: 1 }];
    expect(checkCompiled(BatchDto, { events })?.events).toBe(events);
  });

  it('the compiled check agrees with class-validator on every kind of field at any depth', () => {
    const verdicts = { valid: 0, faulty: 0 };
    fc.assert(
      fc.property(fc.oneof(tree, branch), mutation, (given, mutate) => {
        for (const value of [given, mutate(given)]) {
          verdicts[expectAgreement(TreeDto, value) ? 'valid' : 'faulty'] += 1;
        }
      }),
      { numRuns: 300 },
    );
    expect(Math.min(verdicts.valid, verdicts.faulty)).toBeGreaterThan(50);
  });

  it('the compiled check agrees with class-validator on arbitrary values', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(expectAgreement(StatusChangeDto, value)).toBe(false);
      }),
    );
  });
});

describe('checkCompiled: depth', () => {
  const nested = (depth: number, end: object): object =>
    depth === 0 ? end : { child: nested(depth - 1, end) };

  it.each([
    [nested(15, {}), true],
    [nested(16, {}), false],
    [nested(14, { children: [] }), true],
    [nested(13, { children: [{}] }), true],
    [nested(14, { children: [{}] }), false],
    [nested(15, { children: [] }), false],
    [nested(14, { more: [] }), true],
    [nested(15, { more: {} }), false],
  ])('the compiled check refuses more than 16 levels of nesting (case %#)', (given, isValid) => {
    expect(expectAgreement(TreeDto, given)).toBe(isValid);
  });
});

describe('isCompiled', () => {
  class Parent {
    @Text({ optional: true })
    name?: string;
  }

  it.each<[string, Dto]>([
    ['with declared rules', TreeDto],
    ['that inherits them', BatchItemDto],
    [
      'that redeclares a field',
      ((): Dto => {
        class Child extends Parent {
          @Truth({ optional: true })
          declare name?: never;
        }
        return Child;
      })(),
    ],
  ])('compiles a class %s', (_what, dto) => {
    expect(isCompiled(dto)).toBe(true);
  });

  class WithForeignRule {
    @Text({ optional: true })
    @IsString()
    name?: string;
  }
  class WithForeignField {
    @Text({ optional: true })
    name?: string;

    @Allow()
    other?: unknown;
  }
  class DeclaredTwice {
    @Text({ max: 2 })
    @Text({ max: 3 })
    name!: string;
  }
  class WithLeftovers extends Parent {
    @Text()
    declare name: string;
  }
  class WithPreset {
    @Text({ optional: true })
    name?: string = 'preset';
  }
  class WithMethod {
    name(): string {
      return '';
    }
  }
  Text({ optional: true })(WithMethod.prototype, 'name');
  class WithHostileName {
    @Text({ optional: true })
    declare toString: never;
  }
  class NestedAsGiven {
    @AsGiven()
    @Nested(() => TreeDto)
    tree!: TreeDto;
  }
  class WithoutRule {
    @AsGiven()
    anything?: unknown;
  }
  class Empty {}

  it.each<[string, Dto]>([
    ['with a rule of class-validator in addition to declared rules', WithForeignRule],
    ['with a field of class-validator', WithForeignField],
    ['with a field that is declared twice', DeclaredTwice],
    ['that inherits a constraint which a redeclared field does not replace', WithLeftovers],
    ['with a field that is preset', WithPreset],
    ['with a method instead of a field', WithMethod],
    ['with a field that every object has', WithHostileName],
    ['with an unchecked nested DTO', NestedAsGiven],
    ['with a field without a rule', WithoutRule],
    ['without fields', Empty],
  ])('does not compile a class %s', (_what, dto) => {
    expect(isCompiled(dto)).toBe(false);
    expect(checkCompiled(dto, {})).toBeUndefined();
  });

  it('does not check a value whose nested class is not compiled', () => {
    class Outer {
      @Nested(() => WithForeignRule)
      inner!: WithForeignRule;
    }
    expect(checkWithMessages(Outer, { inner: { name: 'a' } }).ok).toBe(true);
    expect(checkCompiled(Outer, { inner: { name: 'a' } })).toBeUndefined();
  });
});
