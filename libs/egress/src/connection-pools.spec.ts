import { lookup } from 'node:dns';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Agent } from 'undici';
import { createConnectionPools, type ConnectionPools } from './connection-pools.js';
import type { ConsumerTls } from './consumer-tls.js';
import { makeCertificate } from './testing/certificates.js';

let pems: readonly (string | undefined)[];

const openPools = (): ConnectionPools =>
  createConnectionPools({
    allow: { networks: [], hosts: new Set() },
    lookup,
    proxy: null,
    connectionLifeMs: 60_000,
  });

beforeAll(() => {
  const made = [1, 2].map((index) => makeCertificate(`DNS:client-${String(index)}`));
  pems = [undefined, ...made.map(({ cert, key }) => cert + key)];
});
afterEach(() => {
  jest.useRealTimers();
});

const identity = (): fc.Arbitrary<ConsumerTls> =>
  fc.record({ caCertificate: fc.constantFrom(...pems), clientCertificate: fc.constantFrom(...pems) });

describe('createConnectionPools', () => {
  it('shares a connection pool only between consumers with identical certificates', async () => {
    const pools = openPools();
    fc.assert(
      fc.property(identity(), identity(), (one, other) => {
        const same =
          one.caCertificate === other.caCertificate && one.clientCertificate === other.clientCertificate;
        expect(pools.for(one).dispatcher === pools.for(other).dispatcher).toBe(same);
      }),
    );
    await pools.destroy();
  });

  it('closes a connection pool that has not been used for a minute', async () => {
    jest.useFakeTimers();
    jest.advanceTimersByTime(1);
    const pools = openPools();
    const [, former, current] = pems;
    const { dispatcher } = pools.for({ clientCertificate: former });
    const isClosed = () => dispatcher instanceof Agent && dispatcher.closed;
    jest.advanceTimersByTime(59_000);
    pools.for({ clientCertificate: former });
    jest.advanceTimersByTime(59_000);
    pools.for({ clientCertificate: current });
    expect(isClosed()).toBe(false);
    jest.advanceTimersByTime(2_000);
    expect(isClosed()).toBe(true);
    expect(pools.for({ clientCertificate: former }).dispatcher).not.toBe(dispatcher);
    jest.useRealTimers();
    await pools.destroy();
  });
});
