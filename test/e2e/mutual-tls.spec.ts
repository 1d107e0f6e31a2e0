import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { TLS_FAULTS } from '#libs/contracts';
import type { FailureListDto } from '#apps/api/src/resources/consumers/diagnosis/failures.dto';
import { Producers } from '#test/support/producers';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';
import {
  makeAuthority,
  makeCertificate,
  type Certificate,
} from '../../libs/egress/src/testing/certificates.js';
import { ConnectProxy } from '../../libs/egress/src/testing/connect-proxy.js';
import { LoopbackConsumers } from '../../libs/egress/src/testing/loopback-consumers.js';

const COMPANY = 'MUTUAL';
const ENOUGH = 20;

let system: System;
let authority: Certificate;
const consumers = new LoopbackConsumers();
/** The subject of each request's client certificate, in the order of arrival. */
const seen: string[] = [];
const proxied: string[] = [];

beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
  authority = makeAuthority('authority');
});
afterAll(() => Promise.all([system.stop(), consumers.stop()]));

const clientNamed = (commonName: string): { certificate: string; privateKey: string } => {
  const { cert, key } = makeCertificate('DNS:us', 20, { issuer: authority, usage: 'clientAuth', commonName });
  return { certificate: cert, privateKey: key };
};

const sentWith = (name: string): Promise<boolean> =>
  waitUntil(() => seen.filter((each) => each === name).length >= ENOUGH, {
    what: () => `${ENOUGH} requests with the certificate ${name}, of ${seen.length} requests`,
  });

function* payments(): Generator<object> {
  while (true) yield achChange(COMPANY, randomUUID());
}

describe('mutual TLS', () => {
  test('delivers with a client certificate, also while it is replaced, and ignores proxies of the environment', async () => {
    const { client } = system;
    const url = await consumers.https(
      {
        ...makeCertificate('IP:127.0.0.1', 5, { issuer: authority }),
        requestCert: true,
        rejectUnauthorized: true,
        ca: authority.cert,
      },
      ({ socket }, response) => {
        seen.push(socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject.CN) : 'none');
        response.end();
      },
    );
    const { id } = await client.registerConsumer({
      name: 'Mutual',
      url,
      eventTypes: ['ach.status'],
      achCompanyIds: [COMPANY],
      credentials: { username: 'bank', password: 'a password of the test' },
      caCertificate: authority.cert,
      clientCertificate: clientNamed('first'),
    });
    const listening = await consumers.http((request, response) => {
      proxied.push(request.url ?? '');
      response.writeHead(418).end();
    });
    const proxy = new URL(listening).origin;
    const worker = await system.startWorker({
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      ALL_PROXY: proxy,
      http_proxy: proxy,
      https_proxy: proxy,
      NODE_USE_ENV_PROXY: '1',
    });

    const producers = Producers.start(client, 3, payments);
    await sentWith('first');
    await client.addCredentials(id, { clientCertificate: clientNamed('second') });
    await sentWith('second');
    const accepted = await producers.finish();
    await waitUntil(() => seen.length >= accepted.length, {
      what: () => `${accepted.length} notifications, not ${seen.length}, to arrive`,
    });
    expect(new Set(seen)).toEqual(new Set(['first', 'second']));
    // Each version is used on one side of the change; requests in flight may overlap.
    expect(seen.slice(-5)).toEqual(Array.from({ length: 5 }, () => 'second'));
    expect(await failuresOf(id)).toEqual([]);
    expect(proxied).toEqual([]);

    const { certificates } = await waitUntil(
      async () => {
        const consumer = await client.consumer(id);
        return consumer.certificates.length === 3 && consumer;
      },
      { what: 'the certificate of the server to be recorded' },
    );
    expect(certificates).toMatchObject([
      { use: 'client', subject: 'CN=second', state: 'expiring', seenAt: null },
      { use: 'authority', subject: 'CN=authority' },
      { use: 'server', subject: 'CN=consumer', seenAt: expect.any(String) },
    ]);
    expect((await client.call('PATCH', `/v1/consumers/${id}`, { caCertificate: null })).status).toBe(200);
    const tested = await client.call('POST', `/v1/consumers/${id}/test`, {});
    expect(tested.body).toMatchObject({ outcome: 'tls', detail: TLS_FAULTS.serverUntrusted });
    // Counted when a worker starts and every minute, so before the change and before the first connection.
    const metrics = await (await fetch(`${worker.baseUrl}/metrics`)).text();
    expect(metrics).toContain('dispatcher_certificates_ending{use="client",state="expiring"} 1');
    expect(metrics).toContain('dispatcher_certificates_ending{use="server",state="expired"} 0');
  });

  test('shows which certificate was refused in a failed attempt', async () => {
    const { client } = system;
    const url = await consumers.https(
      makeCertificate('IP:127.0.0.1', -1, { issuer: authority }),
      (_, response) => response.end(),
    );
    const { id } = await client.registerConsumer({
      name: 'Expired',
      url,
      eventTypes: ['ach.status'],
      achCompanyIds: ['EXPIRED'],
      credentials: { username: 'bank', password: 'a password of the test' },
      caCertificate: authority.cert,
    });
    await client.accept(achChange('EXPIRED', randomUUID()));
    const failures = await waitUntil(
      async () => {
        const found = await failuresOf(id);
        return found.length > 0 && found;
      },
      { what: 'the failure to be listed' },
    );
    expect(failures).toMatchObject([
      { outcome: 'tls', lastDetail: TLS_FAULTS.serverExpired, advice: expect.stringMatching(/has expired/) },
    ]);
  });

  test('delivers to a consumer with mutual TLS through the egress proxy', async () => {
    const tunnels = await ConnectProxy.start();
    try {
      await Promise.all(system.workers.map((worker) => worker.kill('SIGKILL')));
      await system.startWorker({ EGRESS_PROXY: tunnels.url });
      const url = await consumers.https(
        makeCertificate('IP:127.0.0.1', 5, { issuer: authority }),
        (_, response) => response.end(),
      );
      await system.client.registerConsumer({
        name: 'Behind',
        url,
        eventTypes: ['ach.status'],
        achCompanyIds: ['BEHIND'],
        credentials: { username: 'bank', password: 'a password of the test' },
        caCertificate: authority.cert,
      });
      await system.client.waitForState(
        await system.client.accept(achChange('BEHIND', randomUUID())),
        'delivered',
      );
      expect(tunnels.asked).toContain(new URL(url).host);
    } finally {
      await tunnels.stop();
    }
  });

  const failuresOf = async (id: string) => {
    const { body } = await system.client.call<FailureListDto>('GET', `/v1/consumers/${id}/failures`);
    return body.failures;
  };
});
