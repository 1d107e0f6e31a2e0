import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { StopWaitingError, LONGEST_WAIT_MS, waitUntil } from '#test/support/wait-until';

export interface ReceivedRequest {
  /** 0 for the first. */
  order: number;
  /** When its last byte arrived. */
  receivedAt: Date;
  method: string;
  /** Path and query, as on the request line. */
  target: string;
  headers: IncomingHttpHeaders;
  /** The body; it has to be UTF-8. */
  body: string;
}

/** An HTTP answer, no answer (`hang`), or a broken connection (`reset`). */
export type ConsumerAnswer =
  | {
      status?: number;
      headers?: Readonly<Record<string, string>>;
      /** An iterable is sent in pieces, for slow or endless bodies. */
      body?: string | AsyncIterable<string>;
      delayMs?: number;
    }
  | 'hang'
  | 'reset';

export type ConsumerBehaviour = (request: ReceivedRequest) => ConsumerAnswer | Promise<ConsumerAnswer>;

export interface ConsumerOptions {
  behaviour?: ConsumerBehaviour;
  /** A free port by default; given when a consumer restarts at the same URL. */
  port?: number;
  /** Certificate and key of an https consumer. */
  tls?: TlsOptions;
}

/** Gives these answers in sequence and then repeats the last one. */
export function inTurn(...answers: [ConsumerAnswer, ...ConsumerAnswer[]]): ConsumerBehaviour {
  return ({ order }) => answers[Math.min(order, answers.length - 1)] ?? answers[0];
}

/** Starts an HTTP(S) consumer on the loopback interface; by default it acknowledges everything. */
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
      // Some tests have clients that disconnect early; that is no fault of this server.
      this.serve(message, response).catch(() => response.destroy());
    });
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The consumer is not listening');
    return address.port;
  }

  /** The URL for notifications. */
  get url(): string {
    return `${this.scheme}://127.0.0.1:${this.port}/ach-payments-api/v1/hook`;
  }

  /** All requests so far, in the order of their completion. */
  get requests(): readonly ReceivedRequest[] {
    return this.received;
  }

  /** How many connections it has accepted so far. */
  get connectionsOpened(): number {
    return this.connections;
  }

  /** Replaces the behaviour. */
  behave(behaviour: ConsumerBehaviour): void {
    this.behaviour = behaviour;
  }

  /**
   * Waits for a number of requests, or until a predicate holds, and returns all received requests.
   * @throws when the deadline passes or the behaviour has thrown
   */
  async waitFor(
    wanted: number | ((requests: readonly ReceivedRequest[]) => boolean),
    deadlineMs = LONGEST_WAIT_MS,
  ): Promise<readonly ReceivedRequest[]> {
    const isEnough = typeof wanted === 'number' ? () => this.received.length >= wanted : wanted;
    const what = typeof wanted === 'number' ? `${wanted} requests` : 'the expected requests';
    await waitUntil(
      () => {
        if (this.fault !== undefined)
          throw new StopWaitingError(`The consumer's behaviour failed: ${inspect(this.fault)}`);
        return isEnough(this.received);
      },
      { deadlineMs, what: () => `${what} at the consumer; ${this.received.length} so far`, everyMs: 5 },
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

/** Sends RST where the socket allows it, so that the client sees a reset and not a normal end. */
function breakConnection(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
