import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseEgressProxy } from './egress-proxy.js';
import { LocalFaultError, type Egress } from './exchange.js';
import { makeCertificate } from './testing/certificates.js';
import { ConnectProxy } from './testing/connect-proxy.js';
import { finding, loopbackEgress } from './testing/loopback-egress.js';
import { posting } from './testing/posting.js';

const { consumers, open } = loopbackEgress();
let proxy: ConnectProxy;
let egress: Egress;
let addresses: readonly string[];

beforeEach(async () => {
  proxy = await ConnectProxy.start();
  addresses = ['127.0.0.1'];
  egress = open({ allow: ['127.0.0.0/8', '::1'], proxy: proxy.url, lookup: finding(() => addresses) });
});
afterEach(() => proxy.stop());

describe('egress through a proxy', () => {
  it('connects through the egress proxy to the checked address, with TLS for the host name', async () => {
    const certificate = makeCertificate('DNS:consumer.example');
    const byAddress = await consumers.https(certificate, ({ headers }, response) =>
      response.end(headers.host),
    );
    const url = byAddress.replace('127.0.0.1', 'consumer.example');
    const { port } = new URL(url);
    const tls = { caCertificate: certificate.cert };
    for (const _ of [1, 2]) {
      expect(await egress.post(posting(url, { tls }))).toMatchObject({
        outcome: 'acknowledged',
        responseBody: `consumer.example:${port}`,
        serverCertificate: { subject: 'CN=consumer' },
      });
    }
    expect(new Set(proxy.asked)).toEqual(new Set([`127.0.0.1:${port}`]));
    // Only TLS handshakes (RFC 8446, section 5.1: type 22), and no part of the notification in plain text.
    expect(proxy.carried.every(([first]) => first === 22)).toBe(true);
    expect((await egress.post(posting(url.replace('consumer.', 'other.'), { tls }))).outcome).toBe('tls');
  });

  it('connects through the egress proxy without TLS, accepts 1xx answers and keeps the connection', async () => {
    const url = await consumers.http((_, response) => {
      response.writeContinue();
      response.end('ok');
    });
    for (const _ of [1, 2, 3]) expect((await egress.post(posting(url))).responseBody).toBe('ok');
    expect(proxy.asked.length).toBeLessThanOrEqual(2);
  });

  it('does not request refused addresses from the egress proxy', async () => {
    addresses = ['127.0.0.1', '10.0.0.1'];
    const urls = ['https://consumer.example/', 'https://10.0.0.1/', 'https://[::ffff:a00:1]/'];
    for (const url of urls) expect((await egress.post(posting(url))).outcome).toBe('blocked_address');
    expect(proxy.asked).toEqual([]);
  });

  it('tries the next address of a host name when the egress proxy does not reach the first', async () => {
    const url = await consumers.http((_, response) => response.end('ok'));
    const { port } = new URL(url);
    addresses = ['::1', '127.0.0.1'];
    const exchange = await egress.post(posting(url.replace('127.0.0.1', 'both.example')));
    expect(exchange.outcome).toBe('acknowledged');
    expect(proxy.asked).toEqual([`[::1]:${port}`, `127.0.0.1:${port}`]);
  });

  it('returns connect for a refusal of the egress proxy, and throws an internal error when it is unreachable', async () => {
    proxy.refusal = 403;
    const url = 'https://consumer.example/';
    expect(await egress.post(posting(url))).toMatchObject({
      outcome: 'connect',
      detail: 'the egress proxy does not connect (HTTP 403)',
    });
    await proxy.stop();
    await expect(egress.post(posting(url))).rejects.toThrow(LocalFaultError);
  });
});

describe('parseEgressProxy', () => {
  it('accepts only http://host:port as an egress proxy', () => {
    expect(parseEgressProxy('http://proxy.internal:3128')).toEqual({ host: 'proxy.internal', port: 3128 });
    expect(parseEgressProxy('http://[fd00::1]/')).toEqual({ host: 'fd00::1', port: 80 });
    for (const wrong of [
      '',
      'proxy:3128',
      'https://proxy',
      'http://u:p@proxy',
      'http://proxy/x',
      'http://proxy/?a',
    ])
      expect(() => parseEgressProxy(wrong)).toThrow(RangeError);
  });
});
