import { describe, expect, it } from '@jest/globals';
import { createCredentialCache } from './credential-cache.js';
import { createCredentials } from './credentials.js';
import type { Vault } from './vault.js';

/** A vault whose "JWE" is the secret itself; `fail` cannot be opened. */
const vault: Vault = {
  seal: (_, values) => Promise.resolve(values.signingSecret),
  open: (_, jwe) =>
    jwe === 'fail'
      ? Promise.reject(new Error('no'))
      : Promise.resolve(createCredentials({ signingSecret: jwe, username: 'u', password: 'p' })),
  reseal: () => Promise.reject(new Error('a cache seals nothing')),
  keyIdOf: () => null,
};

function cacheOver(answers: (consumerId: string, version: number) => string, maxEntries?: number) {
  const loads: string[] = [];
  const load = (consumerId: string, version: number) => {
    loads.push(`${consumerId}/${version}`);
    return Promise.resolve(answers(consumerId, version));
  };
  const cache = createCredentialCache({ vault, load, ...(maxEntries === undefined ? {} : { maxEntries }) });
  return { cache, loads };
}

describe('createCredentialCache', () => {
  it('loads a version of credentials once for concurrent and later requests', async () => {
    const { cache, loads } = cacheOver((id, version) => `${id}-${version}`);
    const all = await Promise.all(Array.from({ length: 20 }, () => cache.get('a', 1)));
    expect((await cache.get('a', 1)).signingSecret).toBe('a-1');
    expect(new Set(all).size).toBe(1);
    expect(loads).toEqual(['a/1']);
  });

  it('caches credentials separately per consumer and version', async () => {
    const { cache } = cacheOver((id, version) => `${id}-${version}`);
    expect((await cache.get('a', 1)).signingSecret).toBe('a-1');
    expect((await cache.get('a', 2)).signingSecret).toBe('a-2');
    expect((await cache.get('1:a', 2)).signingSecret).toBe('1:a-2');
  });

  it('loads credentials again after a failure', async () => {
    let answer = 'fail';
    const { cache, loads } = cacheOver(() => answer);
    await expect(Promise.all([cache.get('a', 1), cache.get('a', 1)])).rejects.toThrow('no');
    answer = 'repaired';
    expect((await cache.get('a', 1)).signingSecret).toBe('repaired');
    expect(loads).toEqual(['a/1', 'a/1']);
  });

  it('evicts the least recently used version of credentials', async () => {
    const { cache, loads } = cacheOver((id) => id, 2);
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(id, 1);
    expect(loads).toEqual(['a/1', 'b/1', 'c/1', 'b/1']);
  });
});
