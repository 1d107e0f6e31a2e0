import { once } from 'node:events';
import type { Server } from 'node:http';

/** Listens on a free port of 127.0.0.1. @returns the origin, such as `http://127.0.0.1:40123` */
export async function listenOnLoopback(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the consumer’s server has no port');
  return `http://127.0.0.1:${String(address.port)}`;
}

/** Closes a server and its connections. */
export async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
