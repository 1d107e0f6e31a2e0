import { describe, expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import { ApiClient, type ApiAnswer } from '#test/support/api-client';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const EVENTS_PER_SECOND = 20;
const OTHERS_PER_SECOND = 10;

const system = await System.start({
  backend: 'redis',
  workers: 0,
  env: {
    EVENT_REQUESTS_PER_SECOND: String(EVENTS_PER_SECOND),
    OTHER_REQUESTS_PER_SECOND: String(OTHERS_PER_SECOND),
  },
});

async function clientOf(name: string): Promise<ApiClient> {
  const { status, body } = await waitUntil(
    async () => {
      const answer = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
        name,
        roles: ['producer', 'viewer'],
      });
      return answer.status !== 429 && answer;
    },
    { what: 'an API key to be created', everyMs: 200 },
  );
  expect(status).toBe(201);
  return new ApiClient(system.api.baseUrl, body.key);
}

const statuses = (answers: readonly ApiAnswer<unknown>[], status: number) =>
  answers.filter((answer) => answer.status === status);

describe('rate limits of an API key', () => {
  it('an API key beyond its rate gets 429 with Retry-After, and is served after that time', async () => {
    const client = await clientOf('eager');
    const ask = () => client.call<{ detail: string }>('GET', '/v1/me');
    const answers = await Promise.all(Array.from({ length: 3 * OTHERS_PER_SECOND }, ask));
    // The requests may fall into two windows of a second.
    expect(statuses(answers, 200).length).toBeGreaterThanOrEqual(OTHERS_PER_SECOND);
    const refused = statuses(answers, 429);
    expect(refused.length).toBeGreaterThanOrEqual(OTHERS_PER_SECOND);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(refused[0]?.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(refused[0]?.body).toMatchObject({ status: 429, title: 'Too Many Requests' });
    await waitUntil(async () => (await ask()).status === 200, {
      what: 'the key to be served again',
    });
  });

  it('an API key beyond its rate does not affect another key', async () => {
    const [one, other] = [await clientOf('one'), await clientOf('other')];
    await Promise.all(Array.from({ length: 3 * OTHERS_PER_SECOND }, () => one.call('GET', '/v1/me')));
    expect((await other.call('GET', '/v1/me')).status).toBe(200);
  });

  it('events have a separate rate limit, in which a batch is one request', async () => {
    const client = await clientOf('hub');
    await Promise.all(Array.from({ length: 3 * OTHERS_PER_SECOND }, () => client.call('GET', '/v1/me')));
    const batch = (request: number) => ({
      events: Array.from({ length: 50 }, (_, index) =>
        achExample({ transactionId: `${String(request)}-${String(index)}` }),
      ),
    });
    const posted = await Promise.all(
      Array.from({ length: EVENTS_PER_SECOND }, (_, request) =>
        client.call('POST', '/v1/events/batch', batch(request)),
      ),
    );
    expect(statuses(posted, 202)).toHaveLength(EVENTS_PER_SECOND);
    const more = await Promise.all(
      Array.from({ length: 3 * EVENTS_PER_SECOND }, () => client.call('POST', '/v1/events', {})),
    );
    expect(statuses(more, 429).length).toBeGreaterThanOrEqual(EVENTS_PER_SECOND);
    expect(statuses(more, 422).length).toBeLessThanOrEqual(2 * EVENTS_PER_SECOND);
  });
});

describe('rate limits of an address', () => {
  const from = (address: string, headers: Record<string, string> = {}): Record<string, string> => ({
    'x-forwarded-for': address,
    'content-type': 'application/json',
    ...headers,
  });
  const signIn = async (address: string, apiKey: string): Promise<Response> =>
    fetch(`${system.api.baseUrl}/v1/session`, {
      method: 'POST',
      headers: from(address, { origin: system.api.baseUrl }),
      body: JSON.stringify({ apiKey }),
    });

  it('an address with 20 failed sign-ins in a minute gets 429, but a valid key still signs in', async () => {
    for (let count = 0; count < 25; count += 1)
      expect((await signIn('198.51.100.1', system.adminKey)).status).toBe(200);
    for (let count = 0; count < 20; count += 1)
      expect((await signIn('198.51.100.1', 'wrong')).status).toBe(401);
    for (const apiKey of ['wrong', 'another']) {
      const answer = await signIn('198.51.100.1', apiKey);
      expect([apiKey, answer.status]).toEqual([apiKey, 429]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(30);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    expect((await signIn('198.51.100.1', system.adminKey)).status).toBe(200);
    expect((await signIn('198.51.100.2', 'wrong')).status).toBe(401);
  });

  it('the IPv6 addresses of one /64 network share a limit of failed sign-ins', async () => {
    for (let count = 0; count < 20; count += 1)
      expect((await signIn(`2001:db8:7:1:${count.toString(16)}::1`, 'wrong')).status).toBe(401);
    expect((await signIn('2001:db8:7:1:ffff::2', 'wrong')).status).toBe(429);
    expect((await signIn('2001:db8:7:2::1', 'wrong')).status).toBe(401);
  });

  it('an address with 120 unknown keys in a minute gets 429, but a valid key is still served', async () => {
    const ask = async (key: string, address = '198.51.100.3'): Promise<number> =>
      (
        await fetch(`${system.api.baseUrl}/v1/me`, {
          headers: from(address, { authorization: `Bearer ${key}` }),
        })
      ).status;
    const { key } = (
      await system.client.call<{ key: string }>('POST', '/v1/api-keys', { name: 'new', roles: ['viewer'] })
    ).body;
    for (let count = 0; count < 120; count += 1) expect(await ask(`guess-${String(count)}`)).toBe(401);
    expect(await ask('guess-120')).toBe(429);
    expect(await ask('guess-120', '198.51.100.4')).toBe(401);
    expect(await ask(system.adminKey)).toBe(200);
    expect(await ask(key)).toBe(200);
    expect(await ask('guess-121')).toBe(429);
  });
});

it('the metrics count refusals for each rate limit', async () => {
  const metrics = await (await fetch(`${system.api.baseUrl}/metrics`)).text();
  for (const limit of ['events', 'others', 'unknown_keys', 'sign_ins'])
    expect(metrics).toMatch(new RegExp(`^dispatcher_rate_limited_total\\{limit="${limit}"\\} [1-9]`, 'm'));
});
