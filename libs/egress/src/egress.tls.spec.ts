import { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { checkConsumerTls } from './consumer-tls.js';
import { createEgress } from './create-egress.js';
import type { Egress } from './exchange.js';
import { makeCertificate, type Certificate } from './testing/certificates.js';
import { LoopbackConsumers } from './testing/loopback-consumers.js';
import { posting } from './testing/posting.js';

let own: Certificate;
let expired: Certificate;
let foreign: Certificate;
let client: Certificate;
let egress: Egress;
let consumers = new LoopbackConsumers();

beforeAll(() => {
  own = makeCertificate('IP:127.0.0.1,DNS:consumer.example');
  expired = makeCertificate('IP:127.0.0.1', -1);
  foreign = makeCertificate('DNS:somebody.else');
  client = makeCertificate('DNS:dispatcher');
  egress = createEgress({
    allow: ['127.0.0.0/8'],
    lookup: (_, __, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
  });
});
afterEach(async () => {
  await consumers.stop();
  consumers = new LoopbackConsumers();
});
afterAll(() => egress.close());

describe('over TLS', () => {
  it("trusts a consumer's own authority, by address and by name", async () => {
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

  it('says what is wrong with a certificate', async () => {
    const cases = [
      { certificate: own, tls: undefined, detail: 'certificate is self-signed' },
      { certificate: own, tls: { caCertificate: foreign.cert }, detail: 'certificate is self-signed' },
      { certificate: expired, tls: { caCertificate: expired.cert }, detail: 'certificate has expired' },
      {
        certificate: foreign,
        tls: { caCertificate: foreign.cert },
        detail: 'certificate is for another host name',
      },
    ];
    for (const { certificate, tls, detail } of cases) {
      const url = await consumers.https(certificate, (_, response) => response.end());
      expect(await egress.post(posting(url, { tls }))).toMatchObject({
        outcome: 'tls',
        httpStatus: null,
        detail,
      });
    }
  });

  it('does not let the environment switch the check off', async () => {
    const url = await consumers.https(own, (_, response) => response.end());
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect((await egress.post(posting(url))).outcome).toBe('tls');
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('tells a server without TLS, and one that hangs up in the handshake', async () => {
    const plain = await consumers.http((_, response) => response.end());
    expect(await egress.post(posting(plain.replace('http:', 'https:')))).toMatchObject({
      outcome: 'tls',
      detail: expect.stringContaining('TLS'),
    });
    const hangingUp = await consumers.raw((socket) => socket.destroy());
    expect(await egress.post(posting(hangingUp.replace('http:', 'https:')))).toMatchObject({
      outcome: 'tls',
      detail: 'connection closed during the TLS handshake',
    });
  });

  it('refuses TLS 1.1', async () => {
    const old = {
      ...own,
      minVersion: 'TLSv1' as const,
      maxVersion: 'TLSv1.1' as const,
      ciphers: 'ALL:@SECLEVEL=0',
    };
    const url = await consumers.https(old, (_, response) => response.end());
    expect((await egress.post(posting(url, { tls: { caCertificate: own.cert } }))).outcome).toBe('tls');
  });

  it('ends a handshake that stalls', async () => {
    const url = await consumers.raw(() => undefined);
    const exchange = await egress.post(posting(url.replace('http:', 'https:'), { timeoutMs: 200 }));
    expect(exchange).toMatchObject({ outcome: 'timeout', detail: 'no connection in time' });
  });

  it('presents a client certificate to whom it belongs, and to nobody else', async () => {
    const mutual = { ...own, requestCert: true, rejectUnauthorized: true, ca: client.cert };
    const url = await consumers.https(mutual, (_, response) => response.end('welcome'));
    const tls = { caCertificate: own.cert, clientCertificate: client.cert + client.key };
    expect(await egress.post(posting(url, { tls }))).toMatchObject({
      outcome: 'acknowledged',
      responseBody: 'welcome',
    });
    const without = await egress.post(posting(url, { tls: { caCertificate: own.cert } }));
    // Node's server ends the handshake first and hangs up then; others send an alert (see failure.spec.ts).
    expect(without).toMatchObject({ outcome: 'reset', httpStatus: null });
  });

  it('does not throw over certificates that cannot be read', async () => {
    expect(await egress.post(posting('https://127.0.0.1/', { tls: { caCertificate: 'x' } }))).toMatchObject({
      outcome: 'tls',
      detail: 'the certificates registered for it cannot be read',
    });
  });
});

describe('checkConsumerTls', () => {
  it('takes what can be used and names no content otherwise', () => {
    expect(checkConsumerTls({})).toBeNull();
    expect(checkConsumerTls({ caCertificate: own.cert, clientCertificate: own.cert + own.key })).toBeNull();
    for (const tls of [
      { caCertificate: 'nonsense' },
      { clientCertificate: own.cert },
      { clientCertificate: own.key },
      { clientCertificate: own.cert + client.key },
    ]) {
      expect(checkConsumerTls(tls)).toMatch(/^must be PEM/);
    }
  });
});
