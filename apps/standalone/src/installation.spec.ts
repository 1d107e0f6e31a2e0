import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { dataFolder, secretsOf } from './installation.js';
import { canReach } from './postgres/account.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dispatcher-test-installation-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('secretsOf', () => {
  it('creates the secrets of an installation once, in a file that only its owner can read', () => {
    const first = secretsOf(join(folder, 'new'));
    expect(first.isNew).toBe(true);
    expect(first.secrets.keyring).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
    expect(statSync(join(folder, 'new', 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(secretsOf(join(folder, 'new'))).toEqual({ secrets: first.secrets, isNew: false });
  });

  it('does not replace a damaged secrets file, without which nothing could be decrypted', () => {
    writeFileSync(join(folder, 'secrets.json'), '{"keyring":1}');
    expect(() => secretsOf(folder)).toThrow('restore it');
  });
});

describe('dataFolder', () => {
  const account = { uid: 12_345, gid: 12_345 };

  it('keeps a data folder that PostgreSQL’s account can reach', () => {
    chmodSync(folder, 0o711);
    expect(dataFolder(join(folder, 'data'), account)).toBe(join(folder, 'data'));
    expect(dataFolder(join(folder, 'data'), undefined)).toBe(join(folder, 'data'));
  });

  it('replaces a data folder that PostgreSQL’s account cannot reach by one in /var/lib, the same at every start', () => {
    mkdirSync(join(folder, 'closed'), { mode: 0o700 });
    expect(canReach(account, join(folder, 'closed', 'data'))).toBe(false);
    const other = dataFolder(join(folder, 'closed', 'data'), account);
    expect(other).toMatch(/^\/var\/lib\/payment-notification-dispatcher\/[0-9a-f]{12}$/);
    expect(dataFolder(join(folder, 'closed', 'data'), account)).toBe(other);
  });
});
