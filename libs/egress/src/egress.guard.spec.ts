import type { LookupAddress } from 'node:dns';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createEgress } from './create-egress.js';
import type { Egress } from './exchange.js';
import { LoopbackConsumers } from './testing/loopback-consumers.js';
import { posting } from './testing/posting.js';

let consumers: LoopbackConsumers;
let requests: number;
let port: string;
const opened: Egress[] = [];

beforeEach(async () => {
  consumers = new LoopbackConsumers();
  requests = 0;
  const url = await consumers.http((_, response) => {
    requests += 1;
    response.writeHead(200, { connection: 'close' }).end();
  });
  port = new URL(url).port;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  await consumers.stop();
});

function egressWith(allow: readonly string[], addresses: () => readonly string[] = () => []): Egress {
  const egress = createEgress({
    allow,
    lookup: (_, __, found) => {
      const all = addresses().map((address): LookupAddress => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }));
      process.nextTick(found, null, all);
    },
  });
  opened.push(egress);
  return egress;
}

const loopback = () => ['127.0.0.1'];

describe('egress: guard', () => {
  it.each([
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '10.0.0.1',
  ])('does not connect to the URL host %s', async (host) => {
    const url = new URL(`http://${host}:${port}/`).href;
    const exchange = await egressWith([]).post(posting(url));
    expect(exchange).toMatchObject({ outcome: 'blocked_address', httpStatus: null });
    expect(exchange.detail).toMatch(/^[\da-f.:]+ is not permitted: \w/);
    expect(consumers.openConnections).toBe(0);
  });

  it.each([
    ['a private address', ['127.0.0.1']],
    ['a private address behind a public one', ['93.184.216.34', '127.0.0.1']],
    ['IPv4 inside IPv6', ['::ffff:127.0.0.1']],
    ['a text that is no address', ['localhost']],
  ])('does not connect to a host name that resolves to %s', async (_, addresses) => {
    const exchange = await egressWith([], () => addresses).post(posting(`http://consumer.example:${port}/`));
    expect(exchange.outcome).toBe('blocked_address');
    expect(requests).toBe(0);
  });

  it('reports a refused address and its kind', async () => {
    const { detail } = await egressWith([], () => ['169.254.169.254']).post(
      posting('https://consumer.example/'),
    );
    expect(detail).toBe('169.254.169.254 is not permitted: cloud metadata');
  });

  it('refuses a host name that changes to a private address before a later connect (DNS rebinding)', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2', '10.0.0.1']];
    const egress = egressWith(['127.0.0.0/8'], () => answers.shift() ?? []);
    const url = `http://rebinding.example:${port}/`;
    expect((await egress.post(posting(url))).outcome).toBe('acknowledged');
    expect((await egress.post(posting(url))).outcome).toBe('blocked_address');
    expect(requests).toBe(1);
  });

  it('connects to the checked address without a second name lookup', async () => {
    let lookups = 0;
    const egress = egressWith(['127.0.0.1'], () => {
      lookups += 1;
      return lookups === 1 ? ['127.0.0.1'] : ['10.0.0.1'];
    });
    expect((await egress.post(posting(`http://pinned.example:${port}/`))).outcome).toBe('acknowledged');
    expect(lookups).toBe(1);
  });

  it('connects to an allowed network and an allowed host name', async () => {
    const byNetwork = egressWith(['127.0.0.0/8'], loopback);
    expect((await byNetwork.post(posting(`http://127.0.0.1:${port}/`))).outcome).toBe('acknowledged');
    const byName = egressWith(['hooks.internal'], loopback);
    expect((await byName.post(posting(`http://hooks.internal:${port}/`))).outcome).toBe('acknowledged');
    expect((await byName.post(posting(`http://other.internal:${port}/`))).outcome).toBe('blocked_address');
    expect((await byName.post(posting(`http://127.0.0.1:${port}/`))).outcome).toBe('blocked_address');
  });

  it('tries the next address of a host name when the first does not answer', async () => {
    const egress = egressWith(['127.0.0.0/8', '::1'], () => ['::1', '127.0.0.1']);
    expect((await egress.post(posting(`http://both.example:${port}/`))).outcome).toBe('acknowledged');
  });

  it('shares one name lookup between concurrent requests', async () => {
    let lookups = 0;
    const egress = egressWith(['127.0.0.0/8'], () => {
      lookups += 1;
      return ['127.0.0.1'];
    });
    const url = `http://shared.example:${port}/`;
    const exchanges = await Promise.all(Array.from({ length: 20 }, () => egress.post(posting(url))));
    expect(exchanges.every((exchange) => exchange.outcome === 'acknowledged')).toBe(true);
    expect(lookups).toBe(1);
  });

  it('ignores the proxy settings of the environment', async () => {
    const saved = { ...process.env };
    const proxy = await consumers.http((_, response) => response.writeHead(418).end());
    Object.assign(process.env, {
      HTTP_PROXY: proxy,
      http_proxy: proxy,
      ALL_PROXY: proxy,
      NODE_USE_ENV_PROXY: '1',
    });
    try {
      const exchange = await egressWith(['127.0.0.0/8']).post(posting(`http://127.0.0.1:${port}/`));
      expect(exchange.httpStatus).toBe(200);
    } finally {
      process.env = saved;
    }
  });

  it('refuses an allow list with an invalid entry', () => {
    expect(() => createEgress({ allow: ['127.0.0.0/8', '10.0.0.0/99'] })).toThrow(RangeError);
  });
});
