import { describe, expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import { System } from '#test/support/system';
import { registration as ofAcme } from '#test/support/registration';

const system = await System.start({ backend: 'redis', workers: 0 });

const registration = (given: object = {}): object => ofAcme({ achCompanyIds: ['1234567890'], ...given });

interface Problem {
  errors?: { field: string }[];
}
const faultsOf = async (change: object): Promise<string[]> => {
  const answer = await system.client.call<Problem>('POST', '/v1/consumers', registration(change));
  expect(answer.status).toBe(422);
  return answer.body.errors?.map((error) => error.field) ?? [];
};

describe('consumer', () => {
  it('a new consumer has default settings, a canonical URL and a generated secret that is shown once', async () => {
    const made = await system.client.registerConsumer(
      registration({ url: 'HTTPS://Consumer.Example:443/a/../hook?x=%7e' }),
    );
    expect(made).toMatchObject({
      url: 'https://consumer.example/hook?x=%7e',
      timestampUnit: 'seconds',
      ordering: 'payment',
      timeoutMs: 10_000,
      maxConcurrency: 64,
      maxPerSecond: null,
      retrySchedule: null,
      state: 'active',
    });
    expect(made.signingSecret).toMatch(/^whsec_[\w-]{43}$/);
    const { signingSecret, ...rest } = made;
    const read = await system.client.call('GET', `/v1/consumers/${made.id}`);
    expect(read.body).toEqual(rest);
    const list = JSON.stringify((await system.client.call('GET', '/v1/consumers?limit=1000')).body);
    expect(list).toContain(made.id);
    for (const secret of [signingSecret ?? '', 'a-password-of-the-test']) {
      expect(list).not.toContain(secret);
      expect(system.api.output).not.toContain(secret);
    }
  });

  it('a signing secret that the caller chose is not shown', async () => {
    const made = await system.client.registerConsumer(
      registration({ signingSecret: 'whsec_of_the_consumer' }),
    );
    expect(made.signingSecret).toBeUndefined();
    expect(JSON.stringify(made)).not.toContain('whsec_of_the_consumer');
  });

  it('consumers are found by a part of their name, external id or contact, in upper or lower case', async () => {
    const made = await system.client.registerConsumer(
      registration({ name: 'Zephyr 100% Freight', externalId: 'ZEPH-7', contact: 'desk@zephyr.example' }),
    );
    const found = async (search: string): Promise<string[]> => {
      const { body } = await system.client.call<{ consumers: { id: string }[] }>(
        'GET',
        `/v1/consumers?search=${encodeURIComponent(search)}`,
      );
      return body.consumers.map(({ id }) => id);
    };
    for (const search of ['zephyr 100% f', 'PHYR', 'eph-7', 'DESK@zephyr'])
      expect(await found(search)).toEqual([made.id]);
    expect(await found('zephyr_100')).toEqual([]);
  });

  it('a consumer with an invalid URL, credentials or setting is refused', async () => {
    for (const url of ['ftp://x.example', 'https://user@x.example', 'https://x.example/#a', 'no url', '']) {
      expect(await faultsOf({ url })).toEqual(['url']);
    }
    for (const url of [
      'http://@x.example/',
      'https://x.example/#',
      'https://x.example/a\tb',
      ' https://x.example',
    ]) {
      expect(await faultsOf({ url })).toEqual(['url']);
    }
    expect(await faultsOf({ credentials: { username: 'a', password: 'a\nb' } })).toEqual([
      'credentials.password',
    ]);
    expect(await faultsOf({ timeoutMs: 999 })).toEqual(['timeoutMs']);
    expect(await faultsOf({ timeoutMs: 30_001 })).toEqual(['timeoutMs']);
    expect(await faultsOf({ retrySchedule: [0] })).toEqual(['retrySchedule[0]']);
    expect(await faultsOf({ eventTypes: ['ach.status', 'ach.status'] })).toEqual(['eventTypes[1]']);
  });

  it('an externalId is unique, and free again when its consumer is removed', async () => {
    const first = await system.client.registerConsumer(registration({ externalId: 'acme' }));
    const second = await system.client.registerConsumer(registration());
    const repeated = await system.client.call('POST', '/v1/consumers', registration({ externalId: 'acme' }));
    expect(repeated.status).toBe(409);
    expect(
      (await system.client.call('PATCH', `/v1/consumers/${second.id}`, { externalId: 'acme' })).status,
    ).toBe(409);
    await remove(first.id);
    expect(
      (await system.client.call('PATCH', `/v1/consumers/${second.id}`, { externalId: 'acme' })).status,
    ).toBe(200);
  });

  it('a change of a consumer sets only the given fields and refuses an invalid URL', async () => {
    const made = await system.client.registerConsumer(registration({ contact: 'ops@acme.example' }));
    const changed = await system.client.call('PATCH', `/v1/consumers/${made.id}`, {
      timeoutMs: 5_000,
      url: 'https://new.example',
    });
    expect(changed.body).toMatchObject({
      timeoutMs: 5_000,
      url: 'https://new.example/',
      contact: 'ops@acme.example',
      name: 'Acme',
    });
    const refused = await system.client.call('PATCH', `/v1/consumers/${made.id}`, { url: 'gopher://x' });
    expect(refused.status).toBe(422);
  });

  it('null clears an optional setting of a consumer', async () => {
    const optional = {
      externalId: 'to be cleared',
      contact: 'ops@acme.example',
      notes: 'since May',
      maxPerSecond: 5,
      retrySchedule: [1, 2],
    };
    const cleared = Object.fromEntries(Object.keys(optional).map((field) => [field, null]));
    const made = await system.client.registerConsumer(registration(optional));
    expect(made).toMatchObject(optional);
    const { status, body } = await system.client.call('PATCH', `/v1/consumers/${made.id}`, cleared);
    expect(status).toBe(200);
    expect(body).toMatchObject(cleared);
  });

  it('a consumer is paused until an instant in the next 30 days, or until a person resumes it', async () => {
    const { id } = await system.client.registerConsumer(registration());
    const pause = (until?: unknown) =>
      system.client.call<Problem & { state: string; pausedUntil: string | null }>(
        'POST',
        `/v1/consumers/${id}/pause`,
        { reason: 'maintenance', ...(until === undefined ? {} : { until }) },
      );
    const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    for (const until of [inDays(-1), inDays(30.01)]) {
      const { status, body } = await pause(until);
      expect([until, status, body.errors?.map(({ field }) => field)]).toEqual([until, 422, ['until']]);
    }
    for (const until of [inDays(29.99), inDays(1)])
      expect(await pause(until)).toMatchObject({
        status: 200,
        body: { state: 'paused', pausedUntil: until },
      });
    expect(await pause()).toMatchObject({ status: 200, body: { state: 'paused', pausedUntil: null } });
    await pause(inDays(1));
    expect(await system.client.resumeConsumer(id)).toMatchObject({
      state: 'active',
      pausedAt: null,
      pausedUntil: null,
      pauseReason: null,
    });
  });

  it('a consumer can be registered as paused, and is active once it is resumed', async () => {
    const made = await system.client.registerConsumer(
      registration({ paused: true, achCompanyIds: ['NOT-LIVE-1'] }),
    );
    expect(made).toMatchObject({ state: 'paused', pauseReason: 'Not live yet', pausedUntil: null });
    expect(made.pausedAt).not.toBeNull();
    expect(await system.client.resumeConsumer(made.id)).toMatchObject({ state: 'active', pauseReason: null });
  });

  it('a removed consumer receives nothing more, and its pending deliveries are cancelled', async () => {
    const made = await system.client.registerConsumer(registration({ achCompanyIds: ['LEAVER'] }));
    const change = (amount: string) => {
      const example = achExample({ transactionId: 'leaving', amount });
      example.data.achEventInfo.debtor.achCompanyId = 'LEAVER';
      return example;
    };
    const before = [await system.client.accept(change('1.00')), await system.client.accept(change('2.00'))];
    await remove(made.id);
    expect((await system.client.call('GET', `/v1/consumers/${made.id}`)).status).toBe(404);
    for (const event of before)
      expect(await system.client.deliveryOf(event)).toMatchObject({ state: 'cancelled', attemptCount: 0 });
    expect((await system.client.accept(change('3.00'))).deliveries).toEqual([]);
  });
});

describe('consumers named in a request', () => {
  it('an event that names consumers by id or externalId goes only to these consumers', async () => {
    const one = await system.client.registerConsumer(registration({ externalId: 'named-one' }));
    const two = await system.client.registerConsumer(registration({ externalId: 'named-two' }));
    const withoutCompanies = await system.client.registerConsumer(registration({ achCompanyIds: [] }));
    const to = async (consumers: string[] | undefined, amount: string): Promise<string[]> => {
      const { deliveries } = await system.client.accept({
        ...achExample({ transactionId: 'named', amount }),
        consumers,
      });
      return deliveries.map((delivery) => delivery.consumerId);
    };
    expect(await to(undefined, '1.00')).toEqual(expect.arrayContaining([one.id, two.id]));
    expect(await to(undefined, '1.10')).not.toContain(withoutCompanies.id);
    expect(await to(['named-two'], '2.00')).toEqual([two.id]);
    expect(await to([one.id, 'named-two'], '3.00')).toEqual([one.id, two.id]);
    expect(await to([withoutCompanies.id], '4.00')).toEqual([withoutCompanies.id]);
  });
});

async function remove(id: string): Promise<void> {
  const response = await fetch(`${system.api.baseUrl}/v1/consumers/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${system.adminKey}` },
  });
  expect(response.status).toBe(204);
}
