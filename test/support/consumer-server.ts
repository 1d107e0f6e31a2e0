import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { HopelessError, LONGEST_WAIT_MS, waitUntil } from '#test/support/wait-until';

export interface ReceivedRequest {
  /** 0 for the first. */
  order: number;
  /** When its last byte was here. */
  receivedAt: Date;
  method: string;
  /** Path and query, as on the request line. */
  target: string;
  headers: IncomingHttpHeaders;
  /** The body's bytes as text; they have to be UTF-8. */
  body: string;
}

/** What a request gets: an HTTP answer, no answer at all, or a broken connection. */
export type ConsumerAnswer =
  | {
      status?: number;
      headers?: Readonly<Record<string, string>>;
      /** An iterable is sent piece by piece, for bodies that are slow or endless. */
      body?: string | AsyncIterable<string>;
      delayMs?: number;
    }
  | 'hang'
  | 'reset';

export type ConsumerBehaviour = (request: ReceivedRequest) => ConsumerAnswer | Promise<ConsumerAnswer>;

export interface ConsumerOptions {
  behaviour?: ConsumerBehaviour;
  /** Where to listen; a free port unless a consumer is to come back where it was. */
  port?: number;
  /** Certificate and key of an https consumer. */
  tls?: TlsOptions;
}

/** Answers one after the other; the last one from then on. */
export function inTurn(...answers: [ConsumerAnswer, ...ConsumerAnswer[]]): ConsumerBehaviour {
  return ({ order }) => answers[Math.min(order, answers.length - 1)] ?? answers[0];
}

/** Starts a real HTTP(S) consumer on the loopback that acknowledges everything unless told otherwise. */
export async function startConsumer({
  behaviour = () => ({}),
  port = 0,
  tls,
}: ConsumerOptions = {}): Promise<ConsumerServer> {
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  const consumer = new ConsumerServer(server, tls === undefined ? 'http' : 'https', behaviour);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return consumer;
}

export class ConsumerServer {
  private readonly received: ReceivedRequest[] = [];
  private fault: unknown;
  private connections = 0;

  /** Use `startConsumer`. */
  constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly scheme: 'http' | 'https',
    private behaviour: ConsumerBehaviour,
  ) {
    server.on('connection', () => this.connections++);
    server.on('request', (message: IncomingMessage, response: ServerResponse) => {
      // A client that goes away early is what some tests are about, not a fault of this server.
      this.serve(message, response).catch(() => response.destroy());
    });
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The consumer is not listening');
    return address.port;
  }

  /** Where it takes notifications. */
  get url(): string {
    return `${this.scheme}://127.0.0.1:${this.port}/ach-payments-api/v1/hook`;
  }

  /** All requests so far, in the order in which they were complete. */
  get requests(): readonly ReceivedRequest[] {
    return this.received;
  }

  /** How many connections were ever opened to it. */
  get connectionsOpened(): number {
    return this.connections;
  }

  /** Answers differently from now on. */
  behave(behaviour: ConsumerBehaviour): void {
    this.behaviour = behaviour;
  }

  /**
   * Waits for so many requests, or for requests of which the predicate holds, and returns all received.
   * @throws when the deadline passes, or a behaviour itself has thrown
   */
  async waitFor(
    wanted: number | ((requests: readonly ReceivedRequest[]) => boolean),
    deadlineMs = LONGEST_WAIT_MS,
  ): Promise<readonly ReceivedRequest[]> {
    const isEnough = typeof wanted === 'number' ? () => this.received.length >= wanted : wanted;
    const what = typeof wanted === 'number' ? `${wanted} requests` : 'the wanted requests';
    await waitUntil(
      () => {
        if (this.fault !== undefined)
          throw new HopelessError(`The consumer itself failed: ${inspect(this.fault)}`);
        return isEnough(this.received);
      },
      { deadlineMs, what: () => `${what} at the consumer, which has ${this.received.length}`, everyMs: 5 },
    );
    return this.received;
  }

  /** Stops listening and breaks every connection. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(message);
    const answer = await this.answer(message, bytes);
    if (answer === 'hang') return;
    if (answer === 'reset') {
      breakConnection(message.socket);
      return;
    }
    if (answer.delayMs !== undefined) await pause(answer.delayMs, undefined, { ref: false });
    response.writeHead(answer.status ?? 200, answer.headers);
    if (answer.body === undefined || typeof answer.body === 'string') response.end(answer.body);
    else await pipeline(Readable.from(answer.body), response);
  }

  private async answer(message: IncomingMessage, bytes: Buffer): Promise<ConsumerAnswer> {
    try {
      const { method = '', url: target = '', headers } = message;
      const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      const request = { order: this.received.length, receivedAt: new Date(), method, target, headers, body };
      this.received.push(request);
      return await this.behaviour(request);
    } catch (error) {
      this.fault ??= error;
      return 'reset';
    }
  }
}

/** With RST where the socket allows it, so that the client sees a reset and not an orderly end. */
function breakConnection(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
