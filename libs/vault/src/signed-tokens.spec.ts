import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parseKeyring, type Keyring } from './keyring.js';
import { createSignedTokens } from './signed-tokens.js';

const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [newKey('old'), newKey('new')];

function ring(...keys: string[]): Keyring {
  const parsed = parseKeyring(keys.join(','));
  if (!parsed.ok) throw new Error(parsed.faults.join());
  return parsed.keyring;
}
const tokens = (keyring: Keyring, { purpose = 'sessions', lifetimeSeconds = 60 } = {}) =>
  createSignedTokens(keyring, { purpose, lifetimeSeconds });

describe('createSignedTokens', () => {
  it('verifies a token of another process with the same keyring', async () => {
    const token = await tokens(ring(OLD)).sign({ name: 'anna' });
    expect(await tokens(ring(OLD)).verify(token)).toMatchObject({ name: 'anna' });
  });

  it('verifies a token after a key rotation, until its key is removed', async () => {
    const token = await tokens(ring(OLD)).sign({});
    expect(await tokens(ring(NEW, OLD)).verify(token)).not.toBeNull();
    expect(await tokens(ring(NEW)).verify(token)).toBeNull();
  });

  it('verifies a token only for its purpose and within its lifetime', async () => {
    const other = await tokens(ring(OLD), { purpose: 'other' }).sign({});
    const late = await tokens(ring(OLD), { lifetimeSeconds: -1 }).sign({});
    expect(await tokens(ring(OLD)).verify(other)).toBeNull();
    expect(await tokens(ring(OLD)).verify(late)).toBeNull();
  });

  it('refuses a changed or unsigned token', async () => {
    const token = await tokens(ring(OLD)).sign({ name: 'anna' });
    const [head = '', body = '', signature = ''] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ name: 'admin', exp: 9_999_999_999 })).toString('base64url');
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid: 'old' })).toString('base64url');
    for (const wrong of ['', 'x', `${head}.${forged}.${signature}`, `${none}.${forged}.`, `${head}.${body}.`])
      expect(await tokens(ring(OLD)).verify(wrong)).toBeNull();
  });
});
