import { describe, expect, it } from '@jest/globals';
import { PERSON_ROLES, type PersonRole } from '#libs/contracts';
import fc from 'fast-check';
import { grantedRole } from './granted-role.js';

const MAP = new Map<string, PersonRole>([
  ['night-shift', 'oncall'],
  ['everybody', 'viewer'],
  ['urn:bank:admins', 'admin'],
]);

describe('grantedRole', () => {
  it.each([
    [['everybody'], 'viewer'],
    ['night-shift', 'oncall'],
    [['everybody', 'urn:bank:admins', 'night-shift'], 'admin'],
    [['strangers', 'everybody'], 'viewer'],
    [['admin', 'viewer'], null],
    [['Everybody', 'everybody '], null],
    [[['everybody']], null],
    [{ everybody: true }, null],
    ['everybody night-shift', null],
    [[], null],
    [undefined, null],
    [null, null],
    ['constructor', null],
  ])('a roles claim %j grants the role %s', (claim, role) => expect(grantedRole(claim, MAP)).toBe(role));

  it('grants the strongest role of any mapped value, in any order and next to unmapped values', () => {
    const values = fc.array(fc.oneof(fc.constantFrom(...MAP.keys()), fc.string(), fc.anything()));
    fc.assert(
      fc.property(values, (claim) => {
        // Only texts count. A nested list, or another value that converts to a text, grants no role.
        const texts = claim.filter((value) => typeof value === 'string');
        const ranks = texts.map((text) => PERSON_ROLES.findIndex((role) => role === MAP.get(text)));
        const strongest = Math.max(-1, ...ranks);
        expect(grantedRole(claim, MAP)).toBe(PERSON_ROLES[strongest] ?? null);
        expect(grantedRole(claim.toReversed(), MAP)).toBe(PERSON_ROLES[strongest] ?? null);
      }),
    );
  });

  it('an additional value never weakens the granted role', () => {
    const names = fc.array(fc.constantFrom(...MAP.keys(), 'other'));
    const rankOf = (claim: readonly string[]): number =>
      PERSON_ROLES.findIndex((role) => role === grantedRole(claim, MAP));
    fc.assert(
      fc.property(names, names, (some, more) => {
        expect(rankOf([...some, ...more])).toBe(Math.max(rankOf(some), rankOf(more)));
      }),
    );
  });
});
