import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '#test/support/wait-until';
import { createEgress } from './create-egress.js';
import type { Egress } from './exchange.js';
import { finding, loopbackEgress } from './testing/loopback-egress.js';
import { posting } from './testing/posting.js';

const { consumers, open } = loopbackEgress();
let requests: number;
let port: string;
let connection: 'close' | 'keep-alive';
let lookups: number;

beforeEach(async () => {
  requests = 0;
  lookups = 0;
  connection = 'close';
  const url = await consumers.http((_, response) => {
    requests += 1;
    response.writeHead(200, { connection }).end();
  });
  port = new URL(url).port;
});

/** An egress whose name lookups find the addresses for their number. */
const egressWith = (
  allow: readonly string[],
  addresses: (lookup: number) => readonly string[],
  connectionLifeMs = 300_000,
): Egress =>
  open({
    allow,
    connectionLifeMs,
    lookup: finding(() => {
      lookups += 1;
      return addresses(lookups);
    }),
  });
const loopback = () => ['127.0.0.1'];

/** The outcome of a request to a host, or why its address is refused. */
async function sent(egress: Egress, host = 'consumer.example'): Promise<string> {
  const { outcome, detail } = await egress.post(posting(new URL(`http://${host}:${port}/`).href));
  return outcome === 'blocked_address' ? detail : outcome;
}

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
    expect(await sent(egressWith([], loopback), host)).toMatch(/^[\da-f.:]+ is not permitted: \w/);
    expect([consumers.openConnections, lookups]).toEqual([0, 0]);
  });

  it.each([
    ['127.0.0.2 is not permitted: loopback (RFC 1122)', ['93.184.216.34', '127.0.0.2']],
    ['localhost is not permitted: not an IP address', ['localhost']],
    ['10.0.0.1 is not permitted: private (RFC 1918)', ['10.0.0.1']],
    ['::1 is not permitted: loopback (RFC 4291)', ['::1']],
    ['169.254.169.254 is not permitted: cloud metadata', ['169.254.169.254']],
    ['fd00::1 is not permitted: unique local (RFC 4193)', ['127.0.0.1', 'fd00::1']],
    ['2002:a00:1::1 is not permitted: 6to4 (RFC 3056)', ['127.0.0.1', '2002:a00:1::1']],
    ['64:ff9b::a00:1 is not permitted: NAT64 (RFC 6052)', ['64:ff9b::a00:1']],
    ['2001:0:a00:1::1 is not permitted: Teredo (RFC 4380)', ['2001:0:a00:1::1']],
    ['::ffff:127.0.0.1 is not permitted: IPv4-mapped (RFC 4291)', ['::ffff:127.0.0.1']],
  ])('refuses a host name from its change on (DNS rebinding): %s', async (detail, changed) => {
    const rebinding = egressWith(['127.0.0.1'], (lookup) => (lookup === 1 ? ['127.0.0.1'] : changed));
    expect(await sent(rebinding)).toBe('acknowledged');
    expect(await sent(rebinding)).toBe(detail);
    expect(requests).toBe(1);
  });

  it('connects to the checked address without a second name lookup', async () => {
    const flipping = egressWith(['127.0.0.1'], (lookup) => (lookup === 1 ? ['127.0.0.1'] : ['10.0.0.1']));
    expect(await sent(flipping)).toBe('acknowledged');
    expect(lookups).toBe(1);
  });

  it('does not look up the host name of a kept connection again before the end of its life', async () => {
    connection = 'keep-alive';
    let addresses = ['127.0.0.1'];
    const kept = egressWith(['127.0.0.1'], () => addresses, 1_000);
    // A connection is free a moment after its answer is read, so two connections may alternate.
    for (let index = 0; index < 5; index += 1) expect(await sent(kept)).toBe('acknowledged');
    expect(lookups).toBeLessThanOrEqual(2);
    addresses = ['10.0.0.1'];
    expect(await sent(kept, 'other.example')).toMatch(/^10.0.0.1 is not permitted/);
    await waitUntil(async () => (await sent(kept)) !== 'acknowledged', {
      what: 'a new connection to be refused',
    });
    expect(await sent(kept)).toMatch(/^10.0.0.1 is not permitted/);
  });

  it('connects to an allowed network and an allowed host name', async () => {
    expect(await sent(egressWith(['127.0.0.0/8'], loopback), '127.0.0.1')).toBe('acknowledged');
    const byName = egressWith(['hooks.internal'], loopback);
    expect(await sent(byName, 'hooks.internal')).toBe('acknowledged');
    for (const other of ['other.internal', '127.0.0.1'])
      expect(await sent(byName, other)).toMatch(/^127.0.0.1 is not permitted/);
  });

  it('tries the next address of a host name when the first does not answer', async () => {
    expect(await sent(egressWith(['127.0.0.0/8', '::1'], () => ['::1', '127.0.0.1']))).toBe('acknowledged');
  });

  it('shares one name lookup between concurrent requests', async () => {
    const egress = egressWith(['127.0.0.0/8'], loopback);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => sent(egress)));
    expect([new Set(outcomes), lookups]).toEqual([new Set(['acknowledged']), 1]);
  });

  it('ignores the proxy settings of the environment', async () => {
    const saved = { ...process.env };
    const proxy = await consumers.http((_, response) => response.writeHead(418).end());
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'];
    Object.assign(process.env, Object.fromEntries(names.map((name) => [name, proxy])), {
      NODE_USE_ENV_PROXY: '1',
    });
    try {
      expect(await sent(open(), '127.0.0.1')).toBe('acknowledged');
    } finally {
      process.env = saved;
    }
  });

  it('refuses an allow list with an invalid entry', () => {
    expect(() => createEgress({ allow: ['127.0.0.0/8', '10.0.0.0/99'] })).toThrow(RangeError);
  });
});
