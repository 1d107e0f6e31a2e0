import { describe, expect, it } from '@jest/globals';
import { LocalFaultError } from './exchange.js';
import { loopbackEgress } from './testing/loopback-egress.js';
import { posting } from './testing/posting.js';

const { consumers, egress, open } = loopbackEgress();

describe('egress: connections', () => {
  it('keeps connections to a consumer alive and reuses them', async () => {
    const ports = new Set<number | undefined>();
    const url = await consumers.http((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    });
    for (let index = 0; index < 10; index += 1) await egress.post(posting(url));
    // A connection is free a moment after its answer is read, so two connections may alternate.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('sends one request at a time on a connection, so that a slow answer delays no other request', async () => {
    const release: (() => void)[] = [];
    const url = await consumers.http((request, response) => {
      if (request.url === '/hook/slow') release.push(() => response.end());
      else response.end();
    });
    const slow = egress.post(posting(`${url}/slow`));
    const quick = await Promise.all(Array.from({ length: 10 }, () => egress.post(posting(url))));
    expect(quick.every((exchange) => exchange.outcome === 'acknowledged')).toBe(true);
    for (const end of release) end();
    expect((await slow).outcome).toBe('acknowledged');
  });

  it('opens a new connection when the consumer has closed the idle one', async () => {
    const url = await consumers.raw((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    for (let index = 0; index < 5; index += 1) {
      expect((await egress.post(posting(url))).outcome).toBe('acknowledged');
    }
  });
});

describe('egress: close', () => {
  it('a closing egress waits for requests in flight and refuses new requests', async () => {
    const closing = open();
    const url = await consumers.http((_, response) => {
      setTimeout(() => response.end('late'), 100);
    });
    const inFlight = closing.post(posting(url));
    const closed = closing.close();
    await expect(closing.post(posting(url))).rejects.toThrow(LocalFaultError);
    expect((await inFlight).responseBody).toBe('late');
    await closed;
    await closing.close();
  });

  it('a closing egress interrupts requests after its deadline with an internal error', async () => {
    const closing = open();
    const url = await consumers.http(() => undefined);
    const inFlight = closing.post(posting(url)).catch((error: unknown) => error);
    await closing.close({ withinMs: 50 });
    expect(await inFlight).toBeInstanceOf(LocalFaultError);
  });
});

const failing = () => {
  throw new Error('no secret');
};
const splitting = () => ({ 'x-a': 'b\r\nx-c: d' });

describe('egress: internal errors', () => {
  it('throws TypeError for a URL that is not in canonical form', async () => {
    await expect(egress.post(posting('https://A.example/'))).rejects.toThrow(TypeError);
  });

  it('throws an internal error for headers that cannot be built or sent', async () => {
    const url = await consumers.http((_, response) => response.end());
    await expect(egress.post(posting(url, { buildHeaders: failing }))).rejects.toThrow('no secret');
    await expect(egress.post(posting(url, { buildHeaders: splitting }))).rejects.toThrow(TypeError);
  });

  it('throws an internal error when the machine has no free sockets', async () => {
    const lookup = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    const withoutSockets = open({ lookup: (_, __, found) => found(lookup, []) });
    await expect(withoutSockets.post(posting('https://consumer.example/'))).rejects.toThrow(LocalFaultError);
  });
});
