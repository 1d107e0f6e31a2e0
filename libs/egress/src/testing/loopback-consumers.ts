import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';

/** Consumers on the loopback interface with correct or faulty behaviour. `stop` closes all. */
export class LoopbackConsumers {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  /** Speaks HTTP. @returns its URL, canonical. */
  async http(listener: RequestListener): Promise<string> {
    return `http://127.0.0.1:${await this.#listen(createHttpServer(listener))}/hook`;
  }

  /** Speaks HTTPS. @returns its URL by address and its port. */
  async https(options: TlsOptions, listener: RequestListener): Promise<string> {
    return `https://127.0.0.1:${await this.#listen(createHttpsServer(options, listener))}/hook`;
  }

  /** Calls `onRequest` with the first bytes of every connection. */
  async raw(onRequest: (socket: Socket, request: string) => void): Promise<string> {
    const server = createServer((socket) => {
      socket.once('data', (bytes) => {
        onRequest(socket, bytes.toString());
      });
    });
    return `http://127.0.0.1:${await this.#listen(server)}/hook`;
  }

  /** Calls `onConnection` with every connection, before it has read a byte. @returns its port */
  tcp(onConnection: (socket: Socket) => void): Promise<number> {
    return this.#listen(createServer(onConnection));
  }

  /** Sends these bytes as its answer and leaves the connection open. */
  saying(answer: string): Promise<string> {
    return this.raw((socket) => socket.write(answer));
  }

  /** Connections open now. */
  get openConnections(): number {
    return this.#sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((done) => server.close(done))));
  }

  async #listen(server: Server | HttpServer): Promise<number> {
    this.#servers.push(server);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening);
    });
    return portOf(server.address());
  }
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
  return address.port;
}
