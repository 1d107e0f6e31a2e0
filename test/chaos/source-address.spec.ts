import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SOURCE_ADDRESS, SOURCE_ADDRESS_PRELOAD, sourceAddressOf, workerAt } from './sender.js';

test.runIf(process.platform === 'linux').each([0, 2])(
  'a consumer recognises worker %i by the address from which it connects',
  async (worker) => {
    const senders: (number | null)[] = [];
    const server = createServer(({ socket }, response) => {
      senders.push(workerAt(socket.remoteAddress));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      const post = `await fetch('http://127.0.0.1:${address.port}', { method: 'POST', body: 'x' })`;
      await promisify(execFile)(
        process.execPath,
        ['--import', SOURCE_ADDRESS_PRELOAD, '--input-type=module', '--eval', post],
        { env: { [SOURCE_ADDRESS]: sourceAddressOf(worker) } },
      );
      expect(senders).toEqual([worker]);
    } finally {
      server.close();
    }
  },
);

test('the sender of a POST from any other address is unknown', () => {
  expect(['127.0.0.1', '::1', undefined].map(workerAt)).toEqual([null, null, null]);
});
