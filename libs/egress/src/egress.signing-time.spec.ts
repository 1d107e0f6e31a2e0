import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '#test/support/wait-until';
import type { Egress, EgressRequest } from './exchange.js';
import { makeCertificate } from './testing/certificates.js';
import { ConnectProxy } from './testing/connect-proxy.js';
import { LoopbackConsumers } from './testing/loopback-consumers.js';
import { loopbackEgress } from './testing/loopback-egress.js';
import { posting } from './testing/posting.js';

const { consumers, open } = loopbackEgress();

/** Longer than the resolution of the clock; the connection is held back for this long. */
const HELD_BACK_MS = 30;

const timestamp: EgressRequest['buildHeaders'] = (sentAtMs) => ({ 'x-timestamp': String(sentAtMs) });

/** Posts while the connection is held back. @returns when it was released, and the exchange */
async function postHeldBack(
  over: Egress,
  request: EgressRequest,
  hold: { readonly isReached: () => boolean; readonly release: () => void },
): Promise<{ releasedAtMs: number; exchange: Awaited<ReturnType<Egress['post']>> }> {
  const posted = over.post(request);
  await waitUntil(hold.isReached, { what: 'the connection to be held back', everyMs: 2 });
  const reachedAtMs = Date.now();
  await waitUntil(() => Date.now() >= reachedAtMs + HELD_BACK_MS, { what: 'some time to pass', everyMs: 5 });
  const releasedAtMs = Date.now();
  hold.release();
  return { releasedAtMs, exchange: await posted };
}

describe('egress: time of signing', () => {
  it('takes the timestamp after a slow name lookup', async () => {
    const seen: unknown[] = [];
    const { port } = new URL(
      await consumers.http(({ headers }, response) => {
        seen.push(headers['x-timestamp']);
        response.end();
      }),
    );
    const answers: (() => void)[] = [];
    const slow = open({
      lookup: (_, __, found) => answers.push(() => found(null, [{ address: '127.0.0.1', family: 4 }])),
    });
    const request = posting(`http://slow.example:${port}/`, { buildHeaders: timestamp });
    const { releasedAtMs, exchange } = await postHeldBack(slow, request, {
      isReached: () => answers.length > 0,
      release: () => answers.forEach((answer) => answer()),
    });
    expect(exchange.sentAt.getTime()).toBeGreaterThanOrEqual(releasedAtMs);
    expect(seen).toEqual([String(exchange.sentAt.getTime())]);
    expect(exchange.durationMs).toBeGreaterThanOrEqual(HELD_BACK_MS - 1);
  });

  it('takes the timestamp after a slow TLS handshake', async () => {
    const certificate = makeCertificate('IP:127.0.0.1');
    const seen: unknown[] = [];
    const https = createHttpsServer(certificate, ({ headers }, response) => {
      seen.push(headers['x-timestamp']);
      response.end();
    });
    const sockets: Socket[] = [];
    const port = await consumers.tcp((socket) => sockets.push(socket));
    const request = posting(`https://127.0.0.1:${port}/`, {
      buildHeaders: timestamp,
      tls: { caCertificate: certificate.cert },
    });
    const { releasedAtMs, exchange } = await postHeldBack(open(), request, {
      isReached: () => sockets.length > 0,
      release: () => sockets.forEach((socket) => https.emit('connection', socket)),
    });
    expect(exchange.outcome).toBe('acknowledged');
    expect(exchange.sentAt.getTime()).toBeGreaterThanOrEqual(releasedAtMs);
    expect(seen).toEqual([String(exchange.sentAt.getTime())]);
  });

  it('takes the timestamp after a proxy has opened the tunnel', async () => {
    const seen: unknown[] = [];
    const url = await consumers.http(({ headers }, response) => {
      seen.push(headers['x-timestamp']);
      response.end();
    });
    const proxy = await ConnectProxy.start();
    const tunnel = Promise.withResolvers<void>();
    proxy.opensAfter = tunnel.promise;
    const through = open({ proxy: proxy.url });
    const { releasedAtMs, exchange } = await postHeldBack(
      through,
      posting(url, { buildHeaders: timestamp }),
      { isReached: () => proxy.asked.length > 0, release: tunnel.resolve },
    );
    expect(exchange.sentAt.getTime()).toBeGreaterThanOrEqual(releasedAtMs);
    expect(seen).toEqual([String(exchange.sentAt.getTime())]);
    await proxy.stop();
  });

  it('builds no headers for a request that gets no connection, and says when it began', async () => {
    const gone = new LoopbackConsumers();
    const port = await gone.tcp(() => undefined);
    await gone.stop();
    const before = Date.now();
    let built = 0;
    const exchange = await open().post(
      posting(`http://127.0.0.1:${port}/`, {
        buildHeaders: () => {
          built += 1;
          return {};
        },
      }),
    );
    expect(exchange).toMatchObject({ outcome: 'connect', requestHeaders: {}, remoteAddress: null });
    expect(exchange.sentAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(exchange.sentAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(built).toBe(0);
  });
});
