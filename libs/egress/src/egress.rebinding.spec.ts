import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '#test/support/wait-until';
import { createEgress } from './create-egress.js';
import type { Egress } from './exchange.js';
import { LoopbackConsumers } from './testing/loopback-consumers.js';
import { NameServer } from './testing/name-server.js';
import { posting } from './testing/posting.js';

/** Represents a consumer's public address; other loopback addresses represent private ones. */
const PUBLIC = '127.0.0.1';

let consumers: LoopbackConsumers;
let port: string;
let requests: number;
let connection: 'close' | 'keep-alive';
let names: NameServer;
let egress: Egress;
let addresses: (name: string, asked: number) => readonly string[];

beforeEach(async () => {
  consumers = new LoopbackConsumers();
  requests = 0;
  connection = 'close';
  const url = await consumers.http((_, response) => {
    requests += 1;
    response.writeHead(200, { connection }).end();
  });
  port = new URL(url).port;
  addresses = () => [PUBLIC];
  names = await NameServer.start((name, asked) => addresses(name, asked));
  egress = createEgress({ allow: [PUBLIC], lookup: names.lookup });
});
afterEach(() => Promise.all([egress.close(), consumers.stop(), names.stop()]));

const send = async (name: string) => {
  const { outcome, detail } = await egress.post(posting(`http://${name}:${port}/`));
  return outcome === 'blocked_address' ? detail : outcome;
};

describe('egress with a name server that changes its answers', () => {
  it.each([
    ['to a private address', ['10.0.0.1'], '10.0.0.1 is not permitted: private (RFC 1918)'],
    ['to the loopback', ['::1'], '::1 is not permitted: loopback (RFC 4291)'],
    ['to cloud metadata', ['169.254.169.254'], '169.254.169.254 is not permitted: cloud metadata'],
    [
      'to a refused address next to the permitted one',
      [PUBLIC, '192.168.0.1'],
      '192.168.0.1 is not permitted: private (RFC 1918)',
    ],
    ['to a private IPv6 address', [PUBLIC, 'fd00::1'], 'fd00::1 is not permitted: unique local (RFC 4193)'],
    ['to 6to4', [PUBLIC, '2002:a00:1::1'], '2002:a00:1::1 is not permitted: 6to4 (RFC 3056)'],
    ['to NAT64', ['64:ff9b::a00:1'], '64:ff9b::a00:1 is not permitted: NAT64 (RFC 6052)'],
    ['to Teredo', ['2001:0:a00:1::1'], '2001:0:a00:1::1 is not permitted: Teredo (RFC 4380)'],
    ['to IPv4 inside IPv6', ['::ffff:7f00:1'], '::ffff:127.0.0.1 is not permitted: IPv4-mapped (RFC 4291)'],
  ])('a host name that changes %s is refused from then on', async (_, changed, detail) => {
    addresses = (_name, asked) => (asked === 1 ? [PUBLIC] : changed);
    expect(await send('rebinding.example')).toBe('acknowledged');
    expect(await send('rebinding.example')).toBe(detail);
    expect(requests).toBe(1);
  });

  it('asks the name server once for the check and the connection', async () => {
    addresses = (_name, asked) => (asked % 2 === 1 ? [PUBLIC] : ['10.0.0.1']);
    expect(await send('flipping.example')).toBe('acknowledged');
    expect(names.questions).toEqual(['A flipping.example', 'AAAA flipping.example']);
    expect(await send('flipping.example')).toMatch(/^10.0.0.1 is not permitted/);
  });

  it('does not move a kept connection to another address', async () => {
    connection = 'keep-alive';
    // A connection is free a moment after its answer is read, so two connections may alternate.
    for (let index = 0; index < 5; index += 1) expect(await send('kept.example')).toBe('acknowledged');
    addresses = () => ['10.0.0.1'];
    const asked = names.questions.length;
    for (let index = 0; index < 5; index += 1) expect(await send('kept.example')).toBe('acknowledged');
    expect(names.questions).toHaveLength(asked);
    expect(await send('other.example')).toMatch(/^10.0.0.1 is not permitted/);
  });

  it('resolves the host name of a busy connection again after its lifetime', async () => {
    await egress.close();
    egress = createEgress({ allow: [PUBLIC], lookup: names.lookup, connectionLifeMs: 50 });
    connection = 'keep-alive';
    expect(await send('kept.example')).toBe('acknowledged');
    addresses = () => ['10.0.0.1'];
    const refusal = await waitUntil(
      async () => {
        const outcome = await send('kept.example');
        return outcome !== 'acknowledged' && outcome;
      },
      { what: 'a new connection to be refused' },
    );
    expect(refusal).toMatch(/^10.0.0.1 is not permitted/);
  });
});
