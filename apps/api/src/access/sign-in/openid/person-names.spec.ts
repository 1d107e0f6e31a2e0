import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { personNames } from './person-names.js';

describe('personNames', () => {
  it.each([
    [
      { sub: '2482', preferred_username: 'anna', email: 'a@bank.example', name: 'Anna Ng' },
      'openid:anna (2482)',
      'Anna Ng',
    ],
    [{ sub: '2482', email: 'a@bank.example' }, 'openid:a@bank.example (2482)', 'a@bank.example'],
    [{ sub: '2482' }, 'openid:2482', '2482'],
    [{ sub: '2482', name: '  ', preferred_username: 7 }, 'openid:2482', '2482'],
    [{ sub: '2482', name: 'An\u202Ena\u0000\n' }, 'openid:2482', 'Anna'],
    [{ sub: '2482', preferred_username: 'bert (1)' }, 'openid:bert (1) (2482)', 'bert (1)'],
  ])('derives the names of a person from the claims %j', (claims, name, person) =>
    expect(personNames(claims)).toEqual({ name, person }),
  );

  it('the names of a person fit into the log, the database and a cookie for any claims', () => {
    const text = fc.string({ unit: 'binary', maxLength: 600 });
    fc.assert(
      fc.property(text, text, text, (sub, preferred_username, name) => {
        for (const one of Object.values(personNames({ sub, preferred_username, name }))) {
          expect(one.isWellFormed()).toBe(true);
          expect(one).not.toMatch(/[\p{C}]/u);
          expect([...one].length).toBeLessThan(370);
        }
      }),
    );
  });
});
