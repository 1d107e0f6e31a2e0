import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { closeConnectionsWhenStopping } from './close-connections.js';

async function portOf(server: ReturnType<typeof fastify>): Promise<number> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  return server.addresses()[0]?.port ?? 0;
}

it('a stopping server closes a busy connection after its answer', async () => {
  const server = fastify({ keepAliveTimeout: 60_000 });
  const [arrived, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  server.get('/metrics', () => {
    arrived.resolve();
    return answer.promise;
  });
  closeConnectionsWhenStopping(server, { cutOffAfterMs: 60_000 });
  const closing = new Promise<void>((resolve) => {
    server.addHook('preClose', async () => resolve());
  });
  const agent = new Agent({ keepAlive: true });
  const request = get({ host: '127.0.0.1', port: await portOf(server), path: '/metrics', agent });
  const responded: Promise<IncomingMessage[]> = once(request, 'response');
  await arrived.promise;
  const closed = server.close();
  await closing;
  answer.resolve('figures');
  const [response] = await responded;
  response?.resume();
  expect(response?.headers.connection).toBe('close');
  await closed;
  agent.destroy();
});

it('a stopping server closes a connection without a request', async () => {
  const server = fastify();
  closeConnectionsWhenStopping(server, { cutOffAfterMs: 50 });
  const socket = connect(await portOf(server), '127.0.0.1').on('error', () => undefined);
  const accepted = once(server.server, 'connection');
  const ended = once(socket, 'close');
  await accepted;
  await server.close();
  await ended;
  expect(server.server.listening).toBe(false);
});
