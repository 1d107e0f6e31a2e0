import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { configureListener, listenerOptions } from './configure-listener.js';

const { http, requestTimeout, connectionTimeout, keepAliveTimeout, ...rest } = listenerOptions();
/** The listener with a hundredth of its limits for requests. */
const server = fastify({
  ...rest,
  http: {
    ...http,
    headersTimeout: http.headersTimeout / 100,
    connectionsCheckingInterval: http.connectionsCheckingInterval / 100,
  },
  requestTimeout: requestTimeout / 100,
  connectionTimeout: connectionTimeout / 100,
});
/** The listener with a hundredth of its limit between requests: a busy machine still reads a request in time. */
const betweenRequests = fastify({ ...rest, http, requestTimeout, keepAliveTimeout: keepAliveTimeout / 100 });
const portOf = async (of: typeof server): Promise<number> => {
  configureListener(of);
  of.get('/', () => 'hello');
  return Number(new URL(await of.listen({ port: 0, host: '127.0.0.1' })).port);
};
let port = 0;
beforeAll(async () => {
  server.post('/', () => 'received');
  server.get('/endless', (_request, reply) => reply.send(Readable.from(endless(), { objectMode: false })));
  port = await portOf(server);
});
afterAll(() => Promise.all([server.close(), betweenRequests.close()]));

const endOfReading = Promise.withResolvers<string>();
async function* endless(): AsyncGenerator<Buffer> {
  try {
    for (;;) yield Buffer.alloc(65_536);
  } finally {
    endOfReading.resolve('cut off');
  }
}

/** The answer, and its time, for a client that sends a beginning and then `part` every 20 ms. */
async function answerTo(
  beginning: string,
  part: string,
  to = port,
): Promise<{ answer: string; afterMs: number }> {
  const startedAt = performance.now();
  const socket = connect(to, '127.0.0.1');
  let answer = '';
  // Data that arrives after the server closed the connection resets the connection.
  socket.on('error', () => undefined).on('data', (chunk) => (answer += chunk.toString()));
  socket.write(beginning);
  const more = setInterval(() => void (part !== '' && socket.write(part)), 20);
  try {
    await new Promise((resolve) => socket.once('close', resolve));
    return { answer, afterMs: performance.now() - startedAt };
  } finally {
    clearInterval(more);
    socket.destroy();
  }
}

const HEAD = 'HTTP/1.1\r\nhost: x\r\n';

describe('slow clients', () => {
  it.each([
    ['sends nothing', '', '', 100],
    ['sends its headers slowly', `GET / ${HEAD}x-slow: `, 'x', 100],
    [
      'sends its body slowly',
      `POST / ${HEAD}content-type: text/plain\r\ncontent-length: 9999\r\n\r\n`,
      'x',
      300,
    ],
  ])('answers 408 to a client that %s, and disconnects it', async (_what, beginning, part, limitMs) => {
    const { answer, afterMs } = await answerTo(beginning, part);
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"detail":"The request did not arrive in time."');
    expect(afterMs).toBeGreaterThanOrEqual(limitMs - 5);
    expect(afterMs).toBeLessThan(limitMs + 10_000);
  });

  it('disconnects a client that sends no further request', async () => {
    const { answer, afterMs } = await answerTo(`GET / ${HEAD}\r\n`, '', await portOf(betweenRequests));
    expect(answer).toContain('hello');
    expect(afterMs).toBeLessThan(15_000);
  });
});

it('disconnects a client that does not read its answer, and ends the source of the answer', async () => {
  const socket = connect(port, '127.0.0.1')
    .on('error', () => undefined)
    .pause();
  socket.write(`GET /endless ${HEAD}\r\n`);
  try {
    // The answer is endless: only the listener ends it, together with the connection.
    expect(await endOfReading.promise).toBe('cut off');
  } finally {
    socket.destroy();
  }
});

it('limits every request to 30 s, and its headers to 10 s', () => {
  expect({ requestTimeout, connectionTimeout, keepAliveTimeout, ...http }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: 2_000,
    requireHostHeader: false,
  });
});
