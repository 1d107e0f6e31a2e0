import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { compactDecrypt, CompactEncrypt, decodeProtectedHeader } from 'jose';
import { createCredentials } from './credentials.js';
import { parseKeyring, type Keyring } from './keyring.js';
import { createVault } from './vault.js';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;
const owner = { consumerId: 'c-1', version: 3 };
const values = { signingSecret: 'whsec_s3cret', username: 'bank', password: 'pa:ss' };

function keyring(text: string): Keyring {
  const parsed = parseKeyring(text);
  if (!parsed.ok) throw new Error(parsed.faults.join());
  return parsed.keyring;
}
const vault = createVault(keyring(`${NEW},${OLD}`));

describe('createVault', () => {
  it('opens the credentials that it has sealed, for any text', async () => {
    const text = fc.string({ unit: 'grapheme' });
    const sealed = fc.record({
      signingSecret: text,
      username: text,
      password: text,
      clientCertificate: text,
    });
    await fc.assert(
      fc.asyncProperty(sealed, fc.uuid(), fc.nat(), async (secrets, consumerId, version) => {
        const opened = await vault.open(
          { consumerId, version },
          await vault.seal({ consumerId, version }, secrets),
        );
        const { signingSecret, username, password, clientCertificate } = opened;
        expect({ signingSecret, username, password, clientCertificate }).toEqual(secrets);
      }),
    );
  });

  it('writes only algorithms, key id and owner into the header of sealed credentials, which differ each time', async () => {
    const jwe = await vault.seal(owner, values);
    expect(decodeProtectedHeader(jwe)).toEqual({
      alg: 'dir',
      enc: 'A256GCM',
      kid: 'new',
      consumerId: 'c-1',
      version: 3,
    });
    expect(jwe.split('.')).toHaveLength(5);
    expect(await vault.seal(owner, values)).not.toBe(jwe);
  });

  it('opens credentials of an older key and returns the id of that key', async () => {
    const jwe = await createVault(keyring(OLD)).seal(owner, values);
    expect((await vault.open(owner, jwe)).password).toBe('pa:ss');
    expect(vault.keyIdOf(jwe)).toBe('old');
    expect(vault.keyIdOf('no jwe')).toBeNull();
  });

  it('seals any content of an older key again with the newest key and keeps its header', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const header = { alg: 'dir', enc: 'A256GCM', kid: 'old', note: 'of a later release', ...owner };
        const jwe = await new CompactEncrypt(bytes).setProtectedHeader(header).encrypt(Buffer.alloc(32, 1));
        const again = (await vault.reseal(owner, jwe)) ?? '';
        const { plaintext, protectedHeader } = await compactDecrypt(again, Buffer.alloc(32, 2));
        expect([...plaintext]).toEqual([...bytes]);
        expect(protectedHeader).toEqual({ ...header, kid: 'new' });
        expect(await vault.reseal(owner, again)).toBeNull();
      }),
    );
  });

  it('does not seal an unreadable JWE again, also not one with the newest key’s id', async () => {
    const ofAnother = await vault.seal({ ...owner, version: 4 }, values);
    await expect(vault.reseal(owner, ofAnother)).rejects.toMatchObject({ reason: 'wrong_owner' });
    const changed = createVault(keyring(`new:${Buffer.alloc(32, 9).toString('base64')}`));
    const jwe = await vault.seal(owner, values);
    await expect(changed.reseal(owner, jwe)).rejects.toMatchObject({ reason: 'tampered' });
    await expect(createVault(keyring(OLD)).reseal(owner, jwe)).rejects.toMatchObject({
      reason: 'unknown_key',
    });
  });

  it('reports the missing key of sealed credentials and the remedy', async () => {
    const jwe = await vault.seal(owner, values);
    await expect(createVault(keyring(OLD)).open(owner, jwe)).rejects.toMatchObject({
      name: 'UndecryptableError',
      reason: 'unknown_key',
      kid: 'new',
      message:
        'credentials 3 of consumer c-1, sealed with key "new", cannot be opened: ' +
        'add that key to the keyring (it has old) or issue new credentials',
    });
  });

  it('does not open the credentials of another owner, or with another key of the same id', async () => {
    const jwe = await vault.seal(owner, values);
    for (const other of [
      { ...owner, consumerId: 'c-2' },
      { ...owner, version: 4 },
    ])
      await expect(vault.open(other, jwe)).rejects.toMatchObject({ reason: 'wrong_owner' });
    const changed = createVault(keyring(`new:${Buffer.alloc(32, 9).toString('base64')}`));
    await expect(changed.open(owner, jwe)).rejects.toMatchObject({ reason: 'tampered', kid: 'new' });
  });

  it('does not open a JWE with any altered character', async () => {
    const jwe = await vault.seal(owner, values);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: jwe.length - 1 }),
        fc.constantFrom('A', 'z', '.', '*'),
        async (at, other) => {
          fc.pre(jwe[at] !== other);
          const altered = jwe.slice(0, at) + other + jwe.slice(at + 1);
          // The last characters of a base64url part may carry unused bits: then the bytes are the same.
          fc.pre(!sameBytes(altered, jwe));
          await expect(vault.open(owner, altered)).rejects.toMatchObject({ name: 'UndecryptableError' });
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each(['', 'x', 'a.b.c.d.e', '....'])('does not open the invalid JWE %p', async (jwe) => {
    await expect(vault.open(owner, jwe)).rejects.toMatchObject({ reason: 'tampered', kid: null });
  });

  it.each(['[1]', 'null', '{"signingSecret":1,"username":"u","password":"p"}', 'no json'])(
    'does not accept the sealed content %p as credentials',
    async (plaintext) => {
      const jwe = await new CompactEncrypt(Buffer.from(plaintext))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: 'new', ...owner })
        .encrypt(Buffer.alloc(32, 2));
      await expect(vault.open(owner, jwe)).rejects.toMatchObject({ reason: 'tampered' });
    },
  );
});

describe('credentials', () => {
  it('credentials can be read but not printed, serialised or spread', () => {
    const credentials = createCredentials({ ...values, clientCertificate: 'PEM-KEY' });
    expect(credentials.signingSecret).toBe('whsec_s3cret');
    const printed = [
      inspect(credentials, { showHidden: true, depth: 10 }),
      inspect({ nested: { credentials } }),
      JSON.stringify({ credentials }),
      String(credentials),
      JSON.stringify({ ...credentials }),
      JSON.stringify(Object.entries(credentials)),
    ].join('\n');
    expect(printed).toContain('[redacted]');
    expect(printed).not.toMatch(/s3cret|pa:ss|bank|PEM-KEY/);
  });
});

const bytesOf = (jwe: string) => jwe.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));

function sameBytes(one: string, other: string): boolean {
  return bytesOf(one).join('.') === bytesOf(other).join('.') && one.split('.')[0] === other.split('.')[0];
}
