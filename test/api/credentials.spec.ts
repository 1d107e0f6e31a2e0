import { beforeEach, describe, expect, it } from 'vitest';
import { newKey, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';
import { registration } from '#test/support/registration';

const SECRET = 'whsec_chosen_secret_0001';
const HOUR_MS = 3_600_000;

const system = await System.shared(0);
let id: string;

beforeEach(async () => {
  ({ id } = await system.client.registerConsumer(registration()));
});

interface Problem {
  detail: string;
  errors?: { field: string; message: string }[];
}
const call = (method: string, rest: string, body?: object) =>
  system.client.call<Problem>(method, `/v1/consumers/${id}/credentials${rest}`, body);
const inAnHour = (): string => new Date(Date.now() + HOUR_MS).toISOString();
const states = async (): Promise<Record<number, string>> =>
  Object.fromEntries((await system.client.credentials(id)).map((v) => [v.version, v.state]));

describe('version of the credentials', () => {
  it('a credential version added without activateAt is current at once, and the list shows no secret', async () => {
    const before = await system.client.credentials(id);
    expect(before).toEqual([
      {
        version: 1,
        state: 'current',
        activateAt: before[0]?.createdAt,
        createdAt: expect.any(String),
        createdBy: 'admin',
        clientCertificates: [],
      },
    ]);
    const added = await system.client.addCredentials(id, { signingSecret: SECRET });
    expect(added).toEqual({
      version: 2,
      state: 'current',
      activateAt: expect.any(String),
      createdAt: expect.any(String),
      createdBy: 'admin',
      clientCertificates: [],
    });
    expect(await states()).toEqual({ 1: 'former', 2: 'current' });
    const { signingSecret: _shown, ...rest } = await system.client.addCredentials(id, {
      generateSecret: true,
      username: 'bänk',
    });
    expect(_shown).toMatch(/^whsec_[\w-]{43}$/);
    const list = await system.client.credentials(id);
    expect(list[0]).toEqual(rest);
    expect(JSON.stringify(list)).not.toContain('whsec');
  });

  it('a credential version without any part or with an invalid part is refused', async () => {
    const faultsOf = async (body: object): Promise<string[]> => {
      const answer = await call('POST', '', body);
      expect([body, answer.status]).toEqual([body, 422]);
      return answer.body.errors?.map(({ field }) => field) ?? [];
    };
    expect(await faultsOf({})).toEqual(['body']);
    expect(await faultsOf({ activateAt: inAnHour() })).toEqual(['body']);
    expect(await faultsOf({ generateSecret: false })).toEqual(['body']);
    expect(await faultsOf({ password: 'a\nb' })).toEqual(['password']);
    expect(await faultsOf({ signingSecret: SECRET, generateSecret: true })).toEqual(['generateSecret']);
    expect(await faultsOf({ username: 'a', activateAt: '2020-01-01T00:00:00Z' })).toEqual(['activateAt']);
    expect(await states()).toEqual({ 1: 'current' });
  });

  it('only one credential version can be coming, and the number of a dropped one is not used again', async () => {
    const activateAt = inAnHour();
    expect(await system.client.addCredentials(id, { signingSecret: SECRET, activateAt })).toMatchObject({
      version: 2,
      state: 'coming',
      activateAt,
    });
    const second = await call('POST', '', { username: 'other' });
    expect(second.status).toBe(409);
    expect(second.body.detail).toMatch(/Version 2 is coming.*Activate it now, or drop it/);
    expect((await call('DELETE', '/2')).status).toBe(204);
    expect(await states()).toEqual({ 1: 'current' });
    expect((await call('DELETE', '/2')).status).toBe(404);
    expect((await system.client.addCredentials(id, { username: 'other' })).version).toBe(3);
  });

  it('a coming credential version becomes current at its activateAt', async () => {
    await system.client.addCredentials(id, {
      password: 'the next password',
      activateAt: new Date(Date.now() + 3_000).toISOString(),
    });
    expect(await states()).toEqual({ 1: 'current', 2: 'coming' });
    await waitUntil(async () => (await states())[2] === 'current', {
      what: 'the coming version to be current',
    });
    expect(await states()).toEqual({ 1: 'former', 2: 'current' });
  });

  it('former and coming credential versions can be activated at once', async () => {
    await system.client.addCredentials(id, { signingSecret: SECRET });
    const back = await system.client.activateCredentials(id, 1);
    expect(back).toMatchObject({ version: 1, state: 'current' });
    expect(Date.parse(back.activateAt)).toBeGreaterThan(Date.parse(back.createdAt));
    expect(await states()).toEqual({ 1: 'current', 2: 'former' });
    expect(await system.client.activateCredentials(id, 1)).toEqual(back);
    await system.client.activateCredentials(id, 2);
    expect(await states()).toEqual({ 1: 'former', 2: 'current' });
    await system.client.addCredentials(id, { username: 'coming', activateAt: inAnHour() });
    expect(await system.client.activateCredentials(id, 3)).toMatchObject({ state: 'current' });
  });

  it('a current or former credential version cannot be dropped, and an unknown one gets 404', async () => {
    await system.client.addCredentials(id, { signingSecret: SECRET });
    for (const version of [1, 2]) {
      const { status, body } = await call('DELETE', `/${version}`);
      expect(status).toBe(409);
      expect(body.detail).toContain('only a coming version can be dropped');
    }
    for (const version of ['3', '0', '-1', 'one', '99999999999']) {
      expect((await call('DELETE', `/${version}`)).status).toBe(404);
      expect((await call('POST', `/${version}/activate`, {})).status).toBe(404);
    }
  });

  it('credential versions added concurrently get different numbers, and exactly one is current', async () => {
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        system.client.addCredentials(id, { username: `user ${index}` }),
      ),
    );
    expect(added.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Object.values(await states()).filter((state) => state === 'current')).toHaveLength(1);
  });
});

describe('undecryptable credentials', () => {
  it('undecryptable credentials cannot be activated or changed in part, only replaced as a whole', async () => {
    const other = await System.start({
      backend: 'redis',
      workers: 0,
      databaseUrl: system.databaseUrl,
      keyring: newKey('another'),
    });
    try {
      const add = (body: object) =>
        other.client.call<Problem>('POST', `/v1/consumers/${id}/credentials`, body);
      const refused = await add({ signingSecret: SECRET, username: 'bank' });
      expect(refused.status).toBe(409);
      expect(refused.body.detail).toMatch(/cannot be opened.*together/);
      const activated = await other.client.call('POST', `/v1/consumers/${id}/credentials/1/activate`, {});
      expect(activated.status).toBe(409);
      expect((await add({ signingSecret: SECRET, username: 'bank', password: 'p' })).status).toBe(201);
    } finally {
      await other.stop();
    }
  });
});
