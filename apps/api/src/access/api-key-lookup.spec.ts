import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LiveApiKey } from '#libs/database';
import { hashApiKey } from './api-key.js';
import { ApiKeyLookup } from './api-key-lookup.service.js';

const rowOf = (name: string): LiveApiKey => ({
  id: name,
  name,
  roles: ['producer'],
  key_hash: hashApiKey(name),
  consumer_id: null,
  consumer_name: null,
  sign_in_link_id: null,
  created_at: new Date(0),
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
});

describe('ApiKeyLookup', () => {
  let statements: number[];
  let noted: string[];
  let fault: Error | null;
  let lookup: ApiKeyLookup;

  beforeEach(() => {
    [statements, noted, fault] = [[], [], null];
    lookup = new ApiKeyLookup(
      { adminApiKey: 'first' },
      {
        findLive: async (hashes) => {
          statements.push(hashes.length);
          if (fault !== null) throw fault;
          return [rowOf('hub')].filter((row) => hashes.some((hash) => hash.equals(row.key_hash)));
        },
        noteUse: async (ids) => void noted.push(...ids),
      },
    );
  });

  it('reads an API key once for concurrent and later requests, and records its use once', async () => {
    const ask = () => lookup.callerOf(hashApiKey('hub'));
    const callers = [...(await Promise.all([ask(), ask()])), await ask()];
    expect(new Set(callers.map((caller) => caller?.name))).toEqual(new Set(['hub']));
    expect([statements, noted]).toEqual([[1], ['hub']]);
  });

  it('remembers that an API key is unknown', async () => {
    const hash = hashApiKey('guess');
    expect(lookup.remembers(hash)).toBe(false);
    expect(await lookup.callerOf(hash)).toBeNull();
    expect(lookup.remembers(hash)).toBe(true);
    expect(await lookup.callerOf(hash)).toBeNull();
    expect(statements).toEqual([1]);
  });

  it('finds the different API keys of concurrent requests with one statement', async () => {
    await Promise.all(['hub', 'guess', 'other'].map((key) => lookup.callerOf(hashApiKey(key))));
    expect(statements).toEqual([3]);
  });

  it('finds the first API key without PostgreSQL', async () => {
    expect(await lookup.callerOf(hashApiKey('first'))).toMatchObject({ name: 'admin', roles: ['admin'] });
    expect(statements).toEqual([]);
  });

  it('forgets a failed look-up of an API key, so that the next request repeats it', async () => {
    fault = Object.assign(new Error('the server is going down'), { code: '57P01' });
    await expect(lookup.callerOf(hashApiKey('hub'))).rejects.toThrow('PostgreSQL');
    fault = null;
    expect(await lookup.callerOf(hashApiKey('hub'))).toMatchObject({ name: 'hub' });
  });
});
