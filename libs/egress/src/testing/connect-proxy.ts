import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A proxy on the loopback that only opens tunnels (CONNECT). */
export class ConnectProxy {
  /** The requested targets, as `host:port`. */
  readonly asked: string[] = [];
  /** The first bytes of each tunnel. */
  readonly carried: Buffer[] = [];
  /** The status of its answers instead of connecting; null: it connects. */
  refusal: number | null = null;
  /** Tunnels open when this has resolved. */
  opensAfter: Promise<unknown> = Promise.resolve();

  static async start(): Promise<ConnectProxy> {
    const server = createServer((_, response) => response.writeHead(405).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ConnectProxy(server);
  }

  readonly #sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => this.#keep(socket));
    server.on('connect', ({ url = '' }, client: Socket) => {
      this.asked.push(url);
      if (this.refusal !== null) {
        client.end(`HTTP/1.1 ${this.refusal} Refused\r\n\r\n`);
        return;
      }
      void this.opensAfter.then(() => this.#open(url, client));
    });
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  #open(authority: string, client: Socket): void {
    const { hostname, port } = new URL(`http://${authority}`);
    const upstream = connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) });
    this.#keep(upstream);
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.once('data', (bytes: Buffer) => this.carried.push(bytes));
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
  }
}
