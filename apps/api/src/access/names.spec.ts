import { describe, expect, it } from '@jest/globals';
import { checkPlain } from '#libs/contracts';
import { ConsumerName, KeyName, OwnKeyName } from './names.js';

class Named {
  @KeyName()
  key!: string;

  @OwnKeyName()
  own!: string;

  @ConsumerName()
  consumer!: string;
}

const GOOD = { key: 'payments-hub', own: 'treasury', consumer: 'Ácme & Söhne: 株式会社 / Bank' };
const faultsOf = (given: Partial<typeof GOOD>): string[] => {
  const checked = checkPlain(Named, { ...GOOD, ...given });
  return checked.ok ? [] : checked.faults.map(({ field }) => field);
};

describe('names', () => {
  it('names of keys, own keys and consumers are accepted', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ key: 'https://hub.example/x', own: 'dispatcher 2' })).toEqual([]);
  });

  it.each(['\u00a0system', 'sys\u200btem', 'ｓｙｓｔｅｍ'])(
    'a consumer named %j is refused: it looks like a reserved name',
    (consumer) => expect(faultsOf({ consumer })).toEqual(['consumer']),
  );

  it.each(['admin', 'dispatcher', 'System', 'SYSTEM', ' dispatcher '])(
    '%j is reserved for the product, for keys, own keys and consumers',
    (name) => expect(faultsOf({ key: name, own: name, consumer: name })).toEqual(['key', 'own', 'consumer']),
  );

  it.each(['https://evil.example', 'a/b', 'a:b', 'a\nb'])(
    'a key that a consumer names %j is refused: the name would be a link in a message',
    (own) => expect(faultsOf({ own })).toEqual(['own']),
  );

  it.each(['a\rb', 'a\nb', 'a\u001bb', 'a\u0085b', 'a\u202eb', 'a\u2066b', 'a\u061cb', 'a\u2028b'])(
    'a consumer named %j is refused: the name would change lines or the direction of texts',
    (consumer) => expect(faultsOf({ consumer })).toEqual(['consumer']),
  );
});
