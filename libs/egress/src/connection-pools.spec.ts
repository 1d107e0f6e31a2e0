import { lookup } from 'node:dns';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Agent } from 'undici';
import { createConnectionPools, type ConnectionPools } from './connection-pools.js';
import type { ConsumerTls } from './consumer-tls.js';
import { parseEgressAllow } from './egress-allow.js';
import { makeCertificate } from './testing/certificates.js';

let pools: ConnectionPools;
let pems: readonly (string | undefined)[];

beforeAll(() => {
  const allow = parseEgressAllow([]);
  if (!allow.ok) throw new Error(allow.faults.join());
  pools = createConnectionPools({ allow: allow.allow, lookup, proxy: null, connectionLifeMs: 60_000 });
  const made = [1, 2].map((index) => makeCertificate(`DNS:client-${String(index)}`));
  pems = [undefined, ...made.map(({ cert, key }) => cert + key)];
});
afterAll(() => pools.destroy());
afterEach(() => {
  jest.restoreAllMocks();
});

const identity = (): fc.Arbitrary<ConsumerTls> =>
  fc.record({ caCertificate: fc.constantFrom(...pems), clientCertificate: fc.constantFrom(...pems) });

describe('connection pools', () => {
  it('are shared by those who have the very same certificates, and by nobody else', () => {
    fc.assert(
      fc.property(identity(), identity(), (one, other) => {
        const same =
          one.caCertificate === other.caCertificate && one.clientCertificate === other.clientCertificate;
        expect(pools.for(one).dispatcher === pools.for(other).dispatcher).toBe(same);
      }),
    );
  });

  it('of a former version are closed when nobody has used them for a minute, on both sides of it', () => {
    const [, former, current] = pems;
    const start = performance.now();
    const now = jest.spyOn(performance, 'now').mockReturnValue(start);
    const { dispatcher } = pools.for({ clientCertificate: former });
    const isClosed = () => dispatcher instanceof Agent && dispatcher.closed;
    now.mockReturnValue(start + 59_999);
    pools.for({ clientCertificate: current });
    expect(isClosed()).toBe(false);
    now.mockReturnValue(start + 60_000);
    pools.for(undefined);
    expect(isClosed()).toBe(true);
    expect(pools.for({ clientCertificate: former }).dispatcher).not.toBe(dispatcher);
  });
});
