import { TLS_FAULTS } from '#libs/contracts';
import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '#test/support/wait-until';
import { makeAuthority, makeCertificate, type Certificate } from './testing/certificates.js';
import { finding, loopbackEgress } from './testing/loopback-egress.js';
import { posting } from './testing/posting.js';

let own: Certificate;
let expired: Certificate;
let foreign: Certificate;
let authority: Certificate;
let issued: Certificate;
const { consumers, egress } = loopbackEgress({ lookup: finding() });

beforeAll(() => {
  own = makeCertificate('IP:127.0.0.1,DNS:consumer.example');
  expired = makeCertificate('IP:127.0.0.1', -1);
  foreign = makeCertificate('DNS:other.example');
  authority = makeAuthority('private-authority');
  issued = makeCertificate('IP:127.0.0.1', 1, { issuer: authority });
});

describe('egress over TLS', () => {
  it("trusts a consumer's private authority, by address and by name", async () => {
    const url = await consumers.https(own, (request, response) => {
      const { socket, httpVersion } = request;
      response.end(`${httpVersion} ${socket instanceof TLSSocket ? socket.getProtocol() : 'no TLS'}`);
    });
    const tls = { caCertificate: own.cert };
    expect(await egress.post(posting(url, { tls }))).toMatchObject({
      outcome: 'acknowledged',
      responseBody: '1.1 TLSv1.3',
    });
    const byName = url.replace('127.0.0.1', 'consumer.example');
    expect((await egress.post(posting(byName, { tls }))).outcome).toBe('acknowledged');
  });

  it('trusts one of several private authorities, and an intermediate one without its root', async () => {
    const intermediate = makeCertificate('DNS:sub', 1, {
      issuer: authority,
      isAuthority: true,
      commonName: 'sub',
    });
    const issuedBelow = makeCertificate('IP:127.0.0.1', 1, { issuer: intermediate });
    const direct = await consumers.https(issued, (_, response) => response.end());
    const indirect = await consumers.https(issuedBelow, (_, response) => response.end());
    const both = { caCertificate: own.cert + authority.cert };
    expect((await egress.post(posting(direct, { tls: both }))).outcome).toBe('acknowledged');
    const partial = { caCertificate: intermediate.cert };
    expect((await egress.post(posting(indirect, { tls: partial }))).outcome).toBe('acknowledged');
    expect((await egress.post(posting(direct, { tls: partial }))).outcome).toBe('tls');
  });

  it('does not trust a consumer’s authority for another consumer', async () => {
    const url = await consumers.https(issued, (_, response) => response.end());
    const trusting = posting(url, { tls: { caCertificate: authority.cert } });
    expect((await egress.post(trusting)).outcome).toBe('acknowledged');
    // The connection is kept alive, and must not be reused with other certificates.
    for (const tls of [undefined, { caCertificate: own.cert }]) {
      expect((await egress.post(posting(url, { tls }))).outcome).toBe('tls');
    }
    expect((await egress.post(trusting)).outcome).toBe('acknowledged');
  });

  it('verifies the certificate of every connection and resumes no session', async () => {
    const resumed: boolean[] = [];
    const url = await consumers.https(issued, ({ socket }, response) => {
      resumed.push(socket instanceof TLSSocket && socket.isSessionReused());
      response.writeHead(200, { connection: 'close' }).end();
    });
    const tls = { caCertificate: authority.cert };
    for (const _ of [1, 2, 3])
      expect((await egress.post(posting(url, { tls }))).outcome).toBe('acknowledged');
    expect(resumed).toEqual([false, false, false]);
  });

  it('returns the certificate of the server with its validity', async () => {
    const url = await consumers.https(issued, (_, response) => response.end());
    const { serverCertificate } = await egress.post(posting(url, { tls: { caCertificate: authority.cert } }));
    const certificate = new X509Certificate(issued.cert);
    expect(serverCertificate).toEqual({
      subject: 'CN=consumer',
      issuer: 'CN=private-authority',
      serialNumber: certificate.serialNumber,
      fingerprint: certificate.fingerprint256,
      notBefore: certificate.validFromDate.toISOString(),
      notAfter: certificate.validToDate.toISOString(),
    });
    const plain = await consumers.http((_, response) => response.end());
    expect((await egress.post(posting(plain))).serverCertificate).toBeNull();
  });

  it('reports why the certificate of a server is refused', async () => {
    const past = makeCertificate('IP:127.0.0.1', -1, { issuer: authority });
    const cases = [
      [issued, undefined, TLS_FAULTS.serverUntrusted],
      [issued, own, TLS_FAULTS.serverUntrusted],
      [past, authority, TLS_FAULTS.serverExpired],
      [own, undefined, TLS_FAULTS.serverSelfSigned],
      [own, foreign, TLS_FAULTS.serverSelfSigned],
      [expired, expired, TLS_FAULTS.serverExpired],
      [foreign, foreign, TLS_FAULTS.serverOtherHost],
    ] as const;
    for (const [certificate, trusted, detail] of cases) {
      const url = await consumers.https(certificate, (_, response) => response.end());
      const tls = trusted && { caCertificate: trusted.cert };
      expect(await egress.post(posting(url, { tls }))).toMatchObject({
        outcome: 'tls',
        httpStatus: null,
        detail,
      });
    }
  });

  it('verifies certificates despite NODE_TLS_REJECT_UNAUTHORIZED', async () => {
    const url = await consumers.https(own, (_, response) => response.end());
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect((await egress.post(posting(url))).outcome).toBe('tls');
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('returns tls for a server without TLS, and for a server that closes the handshake', async () => {
    const plain = await consumers.http((_, response) => response.end());
    expect(await egress.post(posting(plain.replace('http:', 'https:')))).toMatchObject({
      outcome: 'tls',
      detail: expect.stringContaining('TLS'),
    });
    const closing = await consumers.raw((socket) => socket.destroy());
    expect(await egress.post(posting(closing.replace('http:', 'https:')))).toMatchObject({
      outcome: 'tls',
      detail: 'connection closed during the TLS handshake',
    });
  });

  it('refuses TLS 1.1 and accepts TLS 1.2', async () => {
    const old = {
      ...own,
      minVersion: 'TLSv1' as const,
      maxVersion: 'TLSv1.1' as const,
      ciphers: 'ALL:@SECLEVEL=0',
    };
    const url = await consumers.https(old, (_, response) => response.end());
    expect(await egress.post(posting(url, { tls: { caCertificate: own.cert } }))).toMatchObject({
      outcome: 'tls',
      detail: 'the server offers no TLS 1.2 or 1.3',
    });
    const [newer, tls] = [{ ...own, maxVersion: 'TLSv1.2' as const }, { caCertificate: own.cert }];
    const url12 = await consumers.https(newer, (_, response) => response.end());
    expect((await egress.post(posting(url12, { tls }))).outcome).toBe('acknowledged');
  });

  it('ends a stalled TLS handshake at the timeout', async () => {
    const url = await consumers.raw(() => undefined);
    const exchange = await egress.post(posting(url.replace('http:', 'https:'), { timeoutMs: 200 }));
    expect(exchange).toMatchObject({ outcome: 'timeout', detail: 'no connection in time' });
    // The connection is closed, too: the connect timeout counts whole seconds.
    await waitUntil(() => consumers.openConnections === 0, { what: 'the connection to be closed' });
  });

  it('returns tls for registered certificates that cannot be read', async () => {
    expect(await egress.post(posting('https://127.0.0.1/', { tls: { caCertificate: 'x' } }))).toMatchObject({
      outcome: 'tls',
      detail: 'the registered certificates cannot be read',
    });
  });
});
