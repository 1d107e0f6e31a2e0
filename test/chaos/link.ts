import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Direction = 'to server' | 'from server';

/** How a link delays or drops data. */
export type Disturbance =
  /** Data arrives this much later, in each direction; at most 64 KiB are on the way. */
  | { readonly kind: 'slow link'; readonly delayMs: number }
  /** Data in this direction is dropped without an error on either side. */
  | { readonly kind: 'one-way link'; readonly drops: Direction }
  /** Connections are accepted and data is kept until the end of the disturbance. */
  | { readonly kind: 'blackhole' };

export type Condition = { readonly kind: 'normal' } | Disturbance;

interface Connection {
  readonly client: Socket;
  readonly upstream: Socket;
  hasLostBytes: boolean;
}

/**
 * A TCP proxy between some processes and a server. As on a real network, the data of a blackhole arrives at its end, also
 * when its sender has closed the connection. A connection that has lost data is closed at the end of the disturbance: no
 * network delivers a stream with a gap.
 */
export class Link {
  private condition: Condition = { kind: 'normal' };
  private change = Promise.withResolvers<void>();
  private readonly connections = new Set<Connection>();
  private refuses = false;
  private opened = 0;
  private disturbedChunks = 0;

  /** Listens on a loopback port and forwards to `serverPort`. The caller has to call `close`. */
  static async open(serverPort: number): Promise<Link> {
    // Either side may have sent everything and still receive.
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Link(server, serverPort);
  }

  private constructor(
    private readonly server: Server,
    private readonly serverPort: number,
  ) {
    server.on('connection', (client) => void this.carry(client));
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the link is closed');
    return address.port;
  }

  /** Sets the condition from now on. */
  set(condition: Condition): void {
    const { resolve } = this.change;
    this.condition = condition;
    this.change = Promise.withResolvers();
    this.opened = 0;
    this.disturbedChunks = 0;
    for (const connection of this.connections) if (connection.hasLostBytes) closeBoth(connection);
    resolve();
  }

  /** Resets all connections, and each new one until it is called with false, as a server that has ended does. */
  refuse(refuses: boolean): void {
    this.refuses = refuses;
    if (refuses) for (const connection of this.connections) closeBoth(connection);
  }

  /** Connections opened, and pieces of data not forwarded at once, in the present condition. */
  get disturbed(): { readonly opened: number; readonly disturbedChunks: number } {
    return { opened: this.opened, disturbedChunks: this.disturbedChunks };
  }

  /** Closes all connections and stops listening. */
  async close(): Promise<void> {
    const serverClosed = once(this.server, 'close');
    this.server.close();
    this.set({ kind: 'normal' });
    for (const connection of this.connections) closeBoth(connection);
    await serverClosed;
  }

  private async carry(client: Socket): Promise<void> {
    this.opened += 1;
    client.on('error', () => undefined);
    if (this.refuses) return void client.resetAndDestroy();
    // In a blackhole no connection is established.
    while (this.condition.kind === 'blackhole') await this.change.promise;
    if (!this.server.listening) return void client.destroy();
    const upstream = connect({
      port: this.serverPort,
      host: '127.0.0.1',
      allowHalfOpen: true,
      noDelay: true,
    });
    upstream.on('error', () => undefined);
    client.setNoDelay(true);
    const connection: Connection = { client, upstream, hasLostBytes: false };
    this.connections.add(connection);
    await Promise.all([this.forward(connection, 'to server'), this.forward(connection, 'from server')]);
    // One side's end may have been dropped: that connection is then closed by `set`.
    await Promise.all([closed(client), closed(upstream)]);
    this.connections.delete(connection);
  }

  /** Forwards the data of one side, and at the end that it has ended or was reset. */
  private async forward(connection: Connection, direction: Direction): Promise<void> {
    const { client, upstream } = connection;
    const [from, to] = direction === 'to server' ? [client, upstream] : [upstream, client];
    try {
      const chunks: AsyncIterable<Buffer> = from.iterator({ destroyOnReturn: false });
      for await (const bytes of chunks) {
        if (!(await this.arrives(direction))) connection.hasLostBytes = true;
        else if (to.writable && !to.write(bytes)) await drained(to);
      }
      if (await this.arrives(direction)) to.end();
      else connection.hasLostBytes = true;
    } catch {
      // The connection of one side was reset; the other side is reset unless the link drops this direction.
      from.destroy();
      if (await this.arrives(direction)) to.destroy();
      else connection.hasLostBytes = true;
    }
  }

  /** Resolves when data that is sent now arrives; with false when it is dropped. */
  private async arrives(direction: Direction): Promise<boolean> {
    const sentAtMs = performance.now();
    if (this.condition.kind !== 'normal') this.disturbedChunks += 1;
    for (;;) {
      const { condition, change } = this;
      switch (condition.kind) {
        case 'normal':
          return true;
        case 'one-way link':
          return condition.drops !== direction;
        case 'blackhole':
          await change.promise;
          break;
        case 'slow link': {
          const leftMs = sentAtMs + condition.delayMs - performance.now();
          if (leftMs <= 0) return true;
          await Promise.race([pause(leftMs, undefined, { ref: false }), change.promise]);
        }
      }
    }
  }
}

/** Resolves when the socket can be written to again, or is closed. */
async function drained(to: Socket): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(to, 'drain', { signal }), once(to, 'close', { signal })]).catch(() => undefined);
  waiting.abort();
}

async function closed(socket: Socket): Promise<void> {
  // A socket may emit an error before it closes.
  if (!socket.closed) await once(socket, 'close').catch(() => undefined);
}

function closeBoth({ client, upstream }: Connection): void {
  for (const socket of [client, upstream]) {
    // Node never closes a socket that is reset while its own end is being sent.
    if (socket.writableEnded) socket.destroy();
    else socket.resetAndDestroy();
  }
}
