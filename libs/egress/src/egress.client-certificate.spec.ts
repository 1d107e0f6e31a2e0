import { TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TLS_FAULTS } from '#libs/contracts';
import { makeAuthority, makeCertificate, type Certificate } from './testing/certificates.js';
import { loopbackEgress } from './testing/loopback-egress.js';
import { OpensslServer } from './testing/openssl-server.js';
import { posting } from './testing/posting.js';

let server: Certificate;
let authority: Certificate;
let untrusted: Certificate;
let [first, second, expired]: Certificate[] = [];
const { consumers, egress } = loopbackEgress();

beforeAll(() => {
  server = makeCertificate('IP:127.0.0.1');
  authority = makeAuthority('client-authority');
  untrusted = makeCertificate('DNS:untrusted');
  [first, second, expired] = [1, 1, -1].map((days, index) =>
    makeCertificate('DNS:dispatcher', days, {
      issuer: authority,
      usage: 'clientAuth',
      commonName: `client-${String(index)}`,
    }),
  );
});

const presenting = (certificate: Certificate | undefined) => ({
  caCertificate: server.cert,
  clientCertificate: certificate === undefined ? undefined : certificate.cert + certificate.key,
});

/** A consumer that answers with the name of the presented certificate. */
const mutual = (onName: (name: string, port: number | undefined) => void = () => undefined) =>
  consumers.https(
    { ...server, requestCert: true, rejectUnauthorized: true, ca: authority.cert },
    ({ socket }, response) => {
      const name = socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject.CN) : '';
      onName(name, socket.remotePort);
      response.end(name);
    },
  );

describe('egress: client certificates', () => {
  it('presents a client certificate only to the consumer that it belongs to', async () => {
    const url = await mutual();
    const presented = await egress.post(posting(url, { tls: presenting(first) }));
    expect(presented).toMatchObject({ outcome: 'acknowledged', responseBody: 'client-0' });
    // The first connection is kept alive. Node's server first completes the handshake and then closes the connection.
    for (const certificate of [undefined, untrusted, expired]) {
      const refused = await egress.post(posting(url, { tls: presenting(certificate) }));
      expect(refused).toMatchObject({ httpStatus: null });
      expect(['reset', 'tls']).toContain(refused.outcome);
    }
  });

  it.each(['1_2', '1_3'] as const)(
    'reports the reason of a refused client certificate over TLS %s',
    async (version) => {
      const consumer = await OpensslServer.start(server, { clientAuthority: authority, version });
      try {
        const detailFor = async (certificate: Certificate | undefined) => {
          const exchange = await egress.post(posting(consumer.url, { tls: presenting(certificate) }));
          return exchange.outcome === 'tls' ? exchange.detail : exchange.outcome;
        };
        expect(await detailFor(expired)).toBe(TLS_FAULTS.clientExpired);
        expect(await detailFor(untrusted)).toBe(TLS_FAULTS.clientUntrusted);
        expect(await detailFor(undefined)).toMatch(/asks? for a client certificate/);
      } finally {
        await consumer.stop();
      }
    },
  );

  it('uses separate connections for each version of a client certificate', async () => {
    const portsOf = new Map<string, Set<number | undefined>>();
    const url = await mutual((name, port) => {
      portsOf.set(name, (portsOf.get(name) ?? new Set()).add(port));
    });
    const names: (string | null)[] = [];
    for (const certificate of [first, second, first, second, second]) {
      names.push((await egress.post(posting(url, { tls: presenting(certificate) }))).responseBody);
    }
    expect(names).toEqual(['client-0', 'client-1', 'client-0', 'client-1', 'client-1']);
    const [ofFirst, ofSecond] = ['client-0', 'client-1'].map((name) => portsOf.get(name) ?? new Set());
    expect([...(ofFirst ?? [])].some((port) => ofSecond?.has(port) === true)).toBe(false);
  });
});
