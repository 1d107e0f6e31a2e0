import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Direction = 'to server' | 'from server';

/** How a link fails to pass on at once what it is given. */
export type Disturbance =
  /** What is sent arrives this much later, in each direction; 64 KiB at the most are under way. */
  | { readonly kind: 'slow link'; readonly delayMs: number }
  /** Bytes in this direction are dropped, without a word to either side. */
  | { readonly kind: 'one-way link'; readonly drops: Direction }
  /** Connections are accepted and bytes are kept; nobody hears anything until it is over. */
  | { readonly kind: 'blackhole' };

export type Condition = { readonly kind: 'whole' } | Disturbance;

interface Connection {
  readonly client: Socket;
  readonly upstream: Socket;
  hasLostBytes: boolean;
}

/**
 * The way from some processes to a server, over a port of our own. As on a real network, what a blackhole has kept
 * arrives when it is over, also what its sender has given up long ago. A connection that has lost bytes is broken at
 * the end of its one-way time: no network ever delivers a stream with a gap in it.
 */
export class Link {
  private condition: Condition = { kind: 'whole' };
  private change = Promise.withResolvers<void>();
  private readonly connections = new Set<Connection>();
  private opened = 0;
  private disturbedChunks = 0;

  /** Listens on a loopback port and leads to `serverPort`. Whoever calls this calls `close`. */
  static async open(serverPort: number): Promise<Link> {
    // Either side may have said all, and still listen.
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

  /** From now on it is in this condition. */
  set(condition: Condition): void {
    const { resolve } = this.change;
    this.condition = condition;
    this.change = Promise.withResolvers();
    this.opened = 0;
    this.disturbedChunks = 0;
    for (const connection of this.connections) if (connection.hasLostBytes) breakUp(connection);
    resolve();
  }

  /** What has met the present condition: connections opened since, and pieces of data not passed on at once. */
  get met(): { readonly opened: number; readonly disturbedChunks: number } {
    return { opened: this.opened, disturbedChunks: this.disturbedChunks };
  }

  /** Breaks every connection and stops listening. */
  async close(): Promise<void> {
    const serverClosed = once(this.server, 'close');
    this.server.close();
    this.set({ kind: 'whole' });
    for (const connection of this.connections) breakUp(connection);
    await serverClosed;
  }

  private async carry(client: Socket): Promise<void> {
    this.opened += 1;
    client.on('error', () => undefined);
    // Over a way that leads nowhere no connection comes about.
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
    await Promise.all([this.pass(connection, 'to server'), this.pass(connection, 'from server')]);
    // Both sides may have said all and one of them not have heard it: then it is still to be broken up.
    await Promise.all([closed(client), closed(upstream)]);
    this.connections.delete(connection);
  }

  /** Passes on what one side says, and in the end that it has said all, or that its connection broke. */
  private async pass(connection: Connection, direction: Direction): Promise<void> {
    const { client, upstream } = connection;
    const [from, to] = direction === 'to server' ? [client, upstream] : [upstream, client];
    try {
      const chunks: AsyncIterable<Buffer> = from.iterator({ destroyOnReturn: false });
      for await (const bytes of chunks) {
        if (!(await this.mayPass(direction))) connection.hasLostBytes = true;
        else if (to.writable && !to.write(bytes)) await drained(to);
      }
      if (await this.mayPass(direction)) to.end();
      else connection.hasLostBytes = true;
    } catch {
      // A side that broke off hears nothing more; the other hears of it as it would of anything else.
      from.destroy();
      if (await this.mayPass(direction)) to.destroy();
      else connection.hasLostBytes = true;
    }
  }

  /** Resolves when what was sent now arrives; with false when it never does. */
  private async mayPass(direction: Direction): Promise<boolean> {
    const sentAtMs = performance.now();
    if (this.condition.kind !== 'whole') this.disturbedChunks += 1;
    for (;;) {
      const { condition, change } = this;
      switch (condition.kind) {
        case 'whole':
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

/** Resolves when more may be written, or nothing will be. */
async function drained(to: Socket): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(to, 'drain', { signal }), once(to, 'close', { signal })]).catch(() => undefined);
  waiting.abort();
}

async function closed(socket: Socket): Promise<void> {
  // An error of its own comes shortly before its end.
  if (!socket.closed) await once(socket, 'close').catch(() => undefined);
}

function breakUp({ client, upstream }: Connection): void {
  for (const socket of [client, upstream]) {
    // Node never closes a socket that is reset while its own end is still on the way.
    if (socket.writableEnded) socket.destroy();
    else socket.resetAndDestroy();
  }
}
