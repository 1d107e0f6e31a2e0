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
  it('makes secrets once, for their owner’s eyes only', () => {
    const first = secretsOf(join(folder, 'new'));
    expect(first.isNew).toBe(true);
    expect(first.secrets.keyring).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
    expect(statSync(join(folder, 'new', 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(secretsOf(join(folder, 'new'))).toEqual({ secrets: first.secrets, isNew: false });
  });

  it('does not replace secrets that it cannot read: what they encrypt would be lost', () => {
    writeFileSync(join(folder, 'secrets.json'), '{"keyring":1}');
    expect(() => secretsOf(folder)).toThrow('restore it');
  });
});

describe('dataFolder', () => {
  const stranger = { uid: 12_345, gid: 12_345 };

  it('is what was asked for when PostgreSQL’s account can reach it', () => {
    chmodSync(folder, 0o711);
    expect(dataFolder(join(folder, 'data'), stranger)).toBe(join(folder, 'data'));
    expect(dataFolder(join(folder, 'data'), undefined)).toBe(join(folder, 'data'));
  });

  it('is another one, the same every time, when it cannot', () => {
    mkdirSync(join(folder, 'closed'), { mode: 0o700 });
    expect(canReach(stranger, join(folder, 'closed', 'data'))).toBe(false);
    const other = dataFolder(join(folder, 'closed', 'data'), stranger);
    expect(other).toMatch(/^\/var\/lib\/payment-notification-dispatcher\/[0-9a-f]{12}$/);
    expect(dataFolder(join(folder, 'closed', 'data'), stranger)).toBe(other);
  });
});
