import { describe, expect, it } from '@jest/globals';
import { loopbackEgress } from './testing/loopback-egress.js';
import { posting } from './testing/posting.js';

const { consumers, egress, open } = loopbackEgress();

describe('egress: request', () => {
  it('sends the exact body, path and headers, which are built at the time of sending', async () => {
    let seen = '';
    const url = await consumers.raw((socket, request) => {
      seen = request;
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    const before = Date.now();
    const exchange = await egress.post(
      posting(`${url}/a%20b?x=1&y=%C3%BC?`, {
        body: '{"name":"Jürgen 💶"}',
        buildHeaders: (sentAtMs) => ({ 'Content-Type': 'application/json', 'x-timestamp': String(sentAtMs) }),
      }),
    );
    expect(exchange.sentAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(exchange.sentAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(exchange.requestHeaders).toEqual({
      'Content-Type': 'application/json',
      'x-timestamp': String(exchange.sentAt.getTime()),
    });
    const [head = '', body] = seen.split('\r\n\r\n');
    expect(head.split('\r\n')).toEqual([
      'POST /hook/a%20b?x=1&y=%C3%BC? HTTP/1.1',
      `host: ${new URL(url).host}`,
      'connection: keep-alive',
      'Content-Type: application/json',
      `x-timestamp: ${exchange.sentAt.getTime()}`,
      'content-length: 23',
    ]);
    expect(body).toBe('{"name":"Jürgen 💶"}');
    expect(exchange.remoteAddress).toBe('127.0.0.1');
  });

  it('sends a request body that is given as bytes', async () => {
    const url = await consumers.http((request, response) => {
      request.pipe(response);
    });
    const exchange = await egress.post(posting(url, { body: Buffer.from('bytes ü') }));
    expect(exchange.responseBody).toBe('bytes ü');
  });
});

describe('egress: outcome', () => {
  it.each([200, 201, 202, 204, 299])('returns acknowledged for status %i', async (status) => {
    const url = await consumers.http((_, response) => response.writeHead(status).end());
    expect(await egress.post(posting(url))).toMatchObject({
      outcome: 'acknowledged',
      httpStatus: status,
      detail: `HTTP ${status}`,
      responseBody: null,
      responseTruncated: false,
    });
  });

  it.each([400, 401, 404, 410, 418, 429, 500, 503, 599])(
    'returns http_status for status %i',
    async (status) => {
      const url = await consumers.http((_, response) => response.writeHead(status).end('why'));
      expect(await egress.post(posting(url))).toMatchObject({
        outcome: 'http_status',
        httpStatus: status,
        responseBody: 'why',
      });
    },
  );

  it.each([300, 301, 302, 303, 304, 307, 308])(
    'returns redirect for status %i without following it',
    async (status) => {
      let requests = 0;
      const url = await consumers.http((_, response) => {
        requests += 1;
        response.writeHead(status, { location: '/elsewhere' }).end();
      });
      expect(await egress.post(posting(url))).toMatchObject({ outcome: 'redirect', httpStatus: status });
      expect(requests).toBe(1);
    },
  );

  it('returns the outcome of the final status after 1xx answers', async () => {
    const early = 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
    const url = await consumers.saying(`${early}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`);
    expect(await egress.post(posting(url))).toMatchObject({ outcome: 'acknowledged', responseBody: 'ok' });
  });

  it.each([
    [100, 'acknowledged', 'HTTP 200'],
    [101, 'invalid_response', 'the answer has no final status'],
  ])('after %i answers 1xx, an exchange ends with %s', async (count, outcome, detail) => {
    const early =
      'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50) + 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(count - 50);
    const url = await consumers.saying(`${early}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`);
    expect(await egress.post(posting(url))).toMatchObject({ outcome, detail });
  });

  it.each([
    ['garbage', '\u0001\u0002 nonsense\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/0.9', '<html></html>'],
    ['a malformed header', 'HTTP/1.1 200 OK\r\nbad header\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    [
      '100 Continue with endless headers',
      `HTTP/1.1 100 Continue\r\n${'x-filler: 12345678901234567890\r\n'.repeat(2_000)}`,
    ],
    ['101', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'x-filler: 12345678901234567890\r\n'.repeat(2_000)}`],
    ['one header too large', `HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('returns invalid_response for an answer of %s', async (_, answer) => {
    const url = await consumers.saying(answer);
    expect(await egress.post(posting(url))).toMatchObject({ outcome: 'invalid_response', httpStatus: null });
  });

  it('returns reset when the connection breaks before an answer', async () => {
    const closing = await consumers.raw((socket) => socket.end());
    expect(await egress.post(posting(closing))).toMatchObject({
      outcome: 'reset',
      detail: 'connection closed before an answer',
    });
    const resetting = await consumers.raw((socket) => socket.resetAndDestroy());
    expect(await egress.post(posting(resetting))).toMatchObject({
      outcome: 'reset',
      detail: 'connection reset',
    });
    const partial = await consumers.raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'));
    expect(await egress.post(posting(partial))).toMatchObject({ outcome: 'reset', httpStatus: null });
  });

  it('returns connect when no server listens', async () => {
    const url = await consumers.http(() => undefined);
    await consumers.stop();
    expect(await egress.post(posting(url))).toMatchObject({
      outcome: 'connect',
      detail: 'connection refused',
    });
  });

  it('returns dns for a host name without an address', async () => {
    const answers = [
      Object.assign(new Error('getaddrinfo ENOTFOUND secret.example'), { code: 'ENOTFOUND' }),
      Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' }),
      null,
    ];
    const byName = open({ lookup: (_, __, found) => found(answers.shift() ?? null, []) });
    const details = [];
    for (let index = 0; index < 3; index += 1) {
      const exchange = await byName.post(posting('http://consumer.example/'));
      expect(exchange.outcome).toBe('dns');
      details.push(exchange.detail);
    }
    expect(details).toEqual([
      'host name does not exist',
      'name server does not answer',
      'host name has no address',
    ]);
  });
});

describe('egress: answer', () => {
  it('returns Retry-After and the clock skew of an answer', async () => {
    const url = await consumers.http((_, response) => {
      response.sendDate = false;
      const date = new Date(Date.now() - 600_000).toUTCString();
      response.writeHead(503, { 'retry-after': '120', date }).end();
    });
    const exchange = await egress.post(posting(url));
    expect(exchange.retryAfterMs).toBe(120_000);
    expect(Math.abs((exchange.clockSkewMs ?? 0) + 600_000)).toBeLessThan(5_000);
  });

  it('keeps hostile header names of an answer and joins repeated headers', async () => {
    const url = await consumers.saying(
      'HTTP/1.1 200 OK\r\n__proto__: a\r\n__proto__: b\r\nconstructor: c\r\nX-Two: 1\r\nx-two: 2\r\n' +
        'set-cookie: d=1\r\nset-cookie: e=2\r\nx-latin: \u00e9\r\ncontent-length: 0\r\n\r\n',
    );
    const { responseHeaders } = await egress.post(posting(url));
    expect(Object.entries(responseHeaders ?? {})).toEqual([
      ['__proto__', 'a, b'],
      ['constructor', 'c'],
      ['x-two', '1, 2'],
      ['set-cookie', 'd=1, e=2'],
      ['x-latin', expect.any(String)],
      ['content-length', '0'],
    ]);
  });
});
