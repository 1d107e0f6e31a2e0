import { gzipSync } from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { waitUntil } from '#test/support/wait-until';
import { LocalFaultError, type Egress } from './exchange.js';
import { loopbackEgress } from './testing/loopback-egress.js';
import { posting } from './testing/posting.js';

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';
const TIMEOUT_MS = 1_000;

const { consumers, egress, open } = loopbackEgress();

/** Waits until the consumer, too, has closed every connection. */
const allClosed = (): Promise<true> =>
  waitUntil(() => consumers.openConnections === 0, { what: 'every connection to be closed', everyMs: 5 });

/** A consumer that starts an answer and continues it in small parts without end. */
const trickle = (start: string, part: string) =>
  consumers.raw((socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(part), 20);
    socket.on('close', () => {
      clearInterval(timer);
    });
  });

/** Posts again when this process was too busy to connect in time. Nothing was sent then, and a session does the same. */
async function postInTime(request: Parameters<Egress['post']>[0]): ReturnType<Egress['post']> {
  for (;;) {
    try {
      return await egress.post(request);
    } catch (error) {
      if (!(error instanceof LocalFaultError)) throw error;
    }
  }
}

describe('egress: timeout', () => {
  it.each([
    ['no bytes', ''],
    ['half a status line', 'HTTP/1.1 20'],
    ['half its headers', `${OK}x-slow:`],
    ['only 1xx', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('ends an answer of %s at the timeout', async (_, answer) => {
    const url = await consumers.saying(answer);
    const exchange = await postInTime(posting(url, { timeoutMs: TIMEOUT_MS }));
    expect(exchange).toMatchObject({
      outcome: 'timeout',
      httpStatus: null,
      detail: 'no answer in time',
      remoteAddress: '127.0.0.1',
    });
    expect(exchange.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 5);
    expect(exchange.durationMs).toBeLessThan(TIMEOUT_MS + 10_000);
    await allClosed();
  });

  it('ends an answer with slow headers or a slow body at the timeout', async () => {
    const headers = await trickle('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n');
    expect((await postInTime(posting(headers, { timeoutMs: TIMEOUT_MS }))).outcome).toBe('timeout');
    const body = await trickle(`${OK}content-length: 60000\r\n\r\n`, 'x');
    expect(await postInTime(posting(body, { timeoutMs: TIMEOUT_MS }))).toMatchObject({
      outcome: 'acknowledged',
      responseBody: expect.stringMatching(/^x+$/),
      responseTruncated: true,
    });
    await allClosed();
  });

  it('keeps the status of an answer whose body stalls, is cut off or is malformed', async () => {
    const stalling = await consumers.saying(`${OK}content-length: 10\r\n\r\nabc`);
    const cutOff = await consumers.raw((socket) => socket.end(`${OK}content-length: 10\r\n\r\nabc`));
    const malformed = await consumers.saying(
      'HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nZZ\r\n',
    );
    const answers = [];
    for (const url of [stalling, cutOff, malformed]) {
      const exchange = await postInTime(posting(url, { timeoutMs: TIMEOUT_MS }));
      answers.push([
        exchange.outcome,
        exchange.httpStatus,
        exchange.responseBody,
        exchange.responseTruncated,
      ]);
    }
    expect(answers).toEqual([
      ['acknowledged', 200, 'abc', true],
      ['acknowledged', 200, 'abc', true],
      ['http_status', 500, 'abc', true],
    ]);
    await allClosed();
  });

  it('the timeout includes the name lookup, and nothing is sent after it', async () => {
    let requests = 0;
    const { port } = new URL(
      await consumers.http((_, response) => {
        requests += 1;
        response.end();
      }),
    );
    const answer: (() => void)[] = [];
    const slow = open({
      lookup: (_, __, found) => {
        answer.push(() => {
          found(null, [{ address: '127.0.0.1', family: 4 }]);
        });
      },
    });
    const exchange = await slow.post(posting(`http://slow.example:${port}/`, { timeoutMs: 50 }));
    expect(exchange).toMatchObject({
      outcome: 'timeout',
      detail: 'no connection in time',
      remoteAddress: null,
    });
    for (const resolve of answer) resolve();
    await new Promise((later) => setTimeout(later, 100));
    expect(requests).toBe(0);
  });

  it.each([
    [9_999, 1, 'acknowledged'],
    [10_001, 0, 'LocalFaultError'],
  ])(
    'after a connect of %i ms in a suspended process, a post with a timeout of 10 s sends %i requests',
    async (passedMs, expected, end) => {
      let requests = 0;
      const { port } = new URL(
        await consumers.http((_, response) => {
          requests += 1;
          response.end();
        }),
      );
      const startedAtMs = performance.now();
      const clock = jest.spyOn(performance, 'now').mockReturnValue(startedAtMs);
      const suspended = open({
        lookup: (_, __, found) => {
          // As if the process was suspended during the lookup.
          clock.mockReturnValue(startedAtMs + passedMs);
          found(null, [{ address: '127.0.0.1', family: 4 }]);
        },
      });
      const posted = suspended.post(posting(`http://slow.example:${port}/`, { timeoutMs: 10_000 }));
      const ended = await posted.then(
        ({ outcome }): string => outcome,
        (error: unknown) => (error instanceof LocalFaultError ? error.name : String(error)),
      );
      clock.mockRestore();
      expect(requests).toBe(expected);
      expect(ended).toBe(end);
    },
  );

  it.each([0, -1, Number.NaN, 2 ** 31])('throws RangeError for a timeout of %p', async (timeoutMs) => {
    await expect(egress.post(posting('https://a.example/', { timeoutMs }))).rejects.toThrow(RangeError);
  });
});

describe('egress: body limit', () => {
  it('ends an endless response body at 64 KiB and keeps 4 KiB', async () => {
    const url = await consumers.http((_, response) => {
      const pump = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', pump);
      pump();
    });
    const exchange = await egress.post(posting(url));
    expect(exchange).toMatchObject({ outcome: 'acknowledged', responseTruncated: true });
    expect(exchange.responseBody).toBe('x'.repeat(4_096));
    // Before the timeout.
    expect(exchange.durationMs).toBeLessThan(9_500);
    await allClosed();
  });

  it('reads a response body of 64 KiB to its end and keeps the connection', async () => {
    const url = await consumers.http((_, response) => response.end('x'.repeat(65_536)));
    const exchange = await egress.post(posting(url));
    expect(exchange).toMatchObject({ responseBody: 'x'.repeat(4_096), responseTruncated: true });
    expect(consumers.openConnections).toBe(1);
  });

  it('does not mark a response body of 4,096 bytes as truncated', async () => {
    const url = await consumers.http((_, response) => response.end('x'.repeat(4_096)));
    expect(await egress.post(posting(url))).toMatchObject({ responseTruncated: false });
  });

  it.each([
    ['NUL', Buffer.from('a\0b'), 'ab'],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['an encoded surrogate', Buffer.from([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
    ['half a character at the end', Buffer.from([0x61, 0xe2, 0x82]), 'a\ufffd'],
    ['a byte order mark', Buffer.from('\ufeffa'), 'a'],
  ])('converts %s in a response body to text that PostgreSQL can store', async (_, bytes, text) => {
    const url = await consumers.http((__, response) => response.end(bytes));
    expect((await egress.post(posting(url))).responseBody).toBe(text);
  });

  it('omits a character of a response body that the limit of 4 KiB splits', async () => {
    const url = await consumers.http((_, response) => response.end('€'.repeat(2_000)));
    expect((await egress.post(posting(url))).responseBody).toBe('€'.repeat(1_365));
  });

  it('requests no compression and does not decompress a response body', async () => {
    let offered: string | string[] | undefined = 'unseen';
    const url = await consumers.http((request, response) => {
      offered = request.headers['accept-encoding'];
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(10_000_000)));
    });
    expect(await egress.post(posting(url))).toMatchObject({ responseBody: null, responseTruncated: true });
    expect(offered).toBeUndefined();
  });
});
