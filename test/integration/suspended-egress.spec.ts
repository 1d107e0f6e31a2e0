import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConnectProxy } from '../../libs/egress/src/testing/connect-proxy.js';
import { LoopbackConsumers } from '../../libs/egress/src/testing/loopback-consumers.js';
import { RunningCommand } from '#test/support/running-command';
import { waitUntil } from '#test/support/wait-until';

/** Long enough for the process to reach the moment at which it suspends itself. */
const TIMEOUT_MS = 10_000;

let consumers: LoopbackConsumers;
let proxy: ConnectProxy;
beforeEach(async () => {
  consumers = new LoopbackConsumers();
  proxy = await ConnectProxy.start();
});
afterEach(() => Promise.all([consumers.stop(), proxy.stop()]));

/**
 * A process that posts through the proxy. At SIGUSR2 it suspends itself just before it polls its sockets: a connection
 * to a path that does not exist fails at that point. If it were suspended elsewhere, its overdue timers would run first.
 */
const poster = (url: string): Promise<RunningCommand> =>
  RunningCommand.start({
    file: process.execPath,
    args: [
      '--input-type=module',
      '-e',
      `import { connect } from 'node:net';
       import { createEgress } from '#libs/egress';
       process.once('SIGUSR2', () => setImmediate(() => connect('/does-not-exist').once('error', () => {
         console.log('suspended');
         process.kill(process.pid, 'SIGSTOP');
       })));
       const egress = createEgress({ allow: ['127.0.0.0/8'], proxy: '${proxy.url}' });
       const headers = { 'content-type': 'application/json' };
       egress
         .post({ url: '${url}', body: '{}', timeoutMs: ${String(TIMEOUT_MS)}, buildHeaders: () => headers })
         .then(({ outcome }) => console.log(outcome), (error) => console.log(error.name))
         .finally(() => egress.close());`,
    ],
  });

test('a process suspended while a connection opens sends nothing when it wakes after the deadline', async () => {
  const arrived: string[] = [];
  const url = await consumers.raw((socket, request) => {
    arrived.push(request);
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  const tunnel = Promise.withResolvers<void>();
  proxy.opensAfter = tunnel.promise;
  const suspended = await poster(url);
  await waitUntil(() => proxy.asked.length === 1, { what: 'the process to ask for a tunnel' });
  const askedAtMs = performance.now();
  suspended.signal('SIGUSR2');
  await waitUntil(() => suspended.output.includes('suspended'), { what: 'the process to suspend itself' });
  tunnel.resolve();
  await waitUntil(() => performance.now() > askedAtMs + TIMEOUT_MS + 500, { what: 'the deadline to pass' });
  suspended.signal('SIGCONT');

  expect(await suspended.exited).toEqual({ code: 0, signal: null });
  expect(arrived).toEqual([]);
  expect(suspended.output).toBe('suspended\nLocalFaultError\n');
});
