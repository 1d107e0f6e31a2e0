import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { waitUntil } from '#test/support/wait-until';
import { loopbackEgress } from './testing/loopback-egress.js';
import { posting } from './testing/posting.js';

const { consumers, egress, open } = loopbackEgress();

describe('egress: headers of each request', () => {
  it('gives each of many requests at once its own headers, on new and on reused connections', async () => {
    const url = await consumers.http((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () =>
        response.end(`${String(request.headers['x-id'])} ${Buffer.concat(chunks).toString()}`),
      );
    });
    const id = fc.stringMatching(/^[!-~]{1,20}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(id, { minLength: 1, maxLength: 8 }), async (ids) => {
        const answers = await Promise.all(
          ids.map((each, at) =>
            egress.post(
              posting(url, { body: String(at), buildHeaders: () => ({ 'x-id': each, 'x-at': String(at) }) }),
            ),
          ),
        );
        expect(answers.map(({ responseBody }) => responseBody)).toEqual(
          ids.map((each, at) => `${each} ${at}`),
        );
        expect(answers.map(({ requestHeaders }) => requestHeaders['x-id'])).toEqual(ids);
      }),
      { numRuns: 50 },
    );
  });

  it('adds no headers to a request of another client that is made while headers are built', async () => {
    const seen: unknown[] = [];
    const url = await consumers.http(({ headers }, response) => {
      seen.push(headers['x-id']);
      response.end();
    });
    const others: Promise<Response>[] = [];
    await egress.post(
      posting(url, {
        buildHeaders: () => {
          others.push(fetch(url, { headers: { connection: 'close' } }));
          return { 'x-id': 'own' };
        },
      }),
    );
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200]);
    expect(new Set(seen)).toEqual(new Set(['own', undefined]));
  });
});

describe('egress: a request that may not be sent any more', () => {
  const refusal = new TypeError('another worker may deliver');
  const refusing = posting('', {
    buildHeaders: () => {
      throw refusal;
    },
  });

  it('throws the caller’s own error, sends no byte and uses the connection for the next request', async () => {
    const requests: string[] = [];
    const ports = new Set<number | undefined>();
    const url = await consumers.http((request, response) => {
      requests.push(`${String(request.method)} ${String(request.headers['x-id'])}`);
      ports.add(request.socket.remotePort);
      response.end();
    });
    for (const id of ['1', '2']) {
      await expect(egress.post({ ...refusing, url })).rejects.toBe(refusal);
      const sent = await egress.post(posting(url, { buildHeaders: () => ({ 'x-id': id }) }));
      expect(sent.outcome).toBe('acknowledged');
    }
    expect(requests).toEqual(['POST 1', 'POST 2']);
    // A connection is free a moment after its answer is read, so two connections may alternate.
    expect(ports.size).toBeLessThanOrEqual(2);
    expect(consumers.openConnections).toBeLessThanOrEqual(2);
  });

  it('sends no byte on a new connection', async () => {
    let bytes = 0;
    let connections = 0;
    const port = await consumers.tcp((socket) => {
      connections += 1;
      socket.on('data', (chunk) => (bytes += chunk.length));
    });
    const closing = open();
    await expect(closing.post({ ...refusing, url: `http://127.0.0.1:${port}/` })).rejects.toBe(refusal);
    await waitUntil(() => connections === 1, { what: 'the connection to be accepted', everyMs: 2 });
    await closing.close();
    await waitUntil(() => consumers.openConnections === 0, { what: 'the end to be read', everyMs: 2 });
    expect({ connections, bytes }).toEqual({ connections: 1, bytes: 0 });
  });
});
