/** Consumers in a process of their own: they verify nothing, count, and note when what arrived. */
import { createServer, type Server, type Socket } from 'node:net';
import { serve } from '#test/bench/pipeline/child';
import { nowMs } from '#test/bench/pipeline/clock';

/** How the consumers of some ports answer. */
export interface Behaviour {
  /** Before the answer. */
  readonly delayMs?: number;
  /** The share of requests that is answered with 503, from 0 to 1. */
  readonly fails?: number;
}

const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
const FAILED = Buffer.from('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n');
const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** The envelope begins with its id. */
const BEFORE_ID = '{"notificationId":"'.length;
const ID_LENGTH = 36;

let acknowledged = 0;
let requests = 0;
let arrivals: [id: string, atMs: number][] | null = null;
let turn = 0;
const servers: Server[] = [];

function converse(socket: Socket, { delayMs, fails = 0 }: Behaviour): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const head = rest.indexOf(END_OF_HEAD);
      if (head < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(rest.toString('latin1', 0, head + 2))?.[1];
      const end = head + 4 + Number(length ?? 0);
      if (rest.length < end) return;
      const isQuestion = rest[0] === 'G'.charCodeAt(0);
      if (isQuestion) tellCount(socket);
      else {
        const body = rest.subarray(head + 4, end);
        turn += fails;
        const isFailed = turn >= 1;
        if (isFailed) turn -= 1;
        if (delayMs === undefined) answer(socket, body, isFailed);
        else setTimeout(answer, delayMs, socket, body, isFailed);
      }
      rest = rest.subarray(end);
    }
  });
}

function answer(socket: Socket, body: Buffer, isFailed: boolean): void {
  requests += 1;
  if (isFailed) return void socket.write(FAILED);
  acknowledged += 1;
  arrivals?.push([body.toString('latin1', BEFORE_ID, BEFORE_ID + ID_LENGTH), nowMs()]);
  socket.write(OK);
}

function tellCount(socket: Socket): void {
  const text = String(acknowledged);
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${String(text.length)}\r\n\r\n${text}`);
}

const calls = {
  /** @returns the ports at which so many consumers listen from now on */
  listen: async ({ count, behaviour }: { count: number; behaviour: Behaviour }): Promise<number[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const server = createServer((socket) => converse(socket, behaviour));
        servers.push(server);
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
        const address = server.address();
        return typeof address === 'object' && address !== null ? address.port : 0;
      }),
    ),
  count: (): { acknowledged: number; requests: number; atMs: number } => ({
    acknowledged,
    requests,
    atMs: nowMs(),
  }),
  noteArrivals: (): void => void (arrivals = []),
  arrivals: (): [id: string, atMs: number][] => {
    const noted = arrivals ?? [];
    arrivals = null;
    return noted;
  },
};

export type Sink = typeof calls;
serve(calls);
