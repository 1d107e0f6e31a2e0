import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StartedProcess } from '#test/support/started-process';
import { System } from '#test/support/system';

let system: System;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
});
afterAll(() => system.stop());

/** Well below the 60 s and more that Node and the api allow a client. */
const STOPPED_WITHIN_MS = 14_000;

/** A client that begins a request and then sends one byte at a time without end. */
async function startSlowly(to: StartedProcess, beginning: string): Promise<Socket> {
  const socket = connect(to.port, '127.0.0.1');
  await once(socket, 'connect');
  const more = setInterval(() => socket.write('x'), 100);
  socket.on('error', () => undefined).once('close', () => clearInterval(more));
  socket.write(beginning);
  return socket;
}

test.each([
  ['api', 'body', 'POST /v1/events HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n%\r\n"'],
  ['worker', 'headers', 'GET /metrics HTTP/1.1\r\nhost: x\r\nx-slow: '],
])(
  'a client that sends its request byte by byte does not delay the stop of the %s (slow %s)',
  async (app, _what, head) => {
    const started = app === 'api' ? system.api : system.workers[0];
    if (started === undefined) throw new Error('no worker runs');
    const credentials = `authorization: Bearer ${system.adminKey}\r\ncontent-length: 200000\r\n`;
    const socket = await startSlowly(started, head.replace('%', credentials));
    const stoppedAt = Date.now();
    try {
      expect(await started.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(Date.now() - stoppedAt).toBeLessThan(STOPPED_WITHIN_MS);
    } finally {
      socket.destroy();
    }
  },
);
