/** Consumers in one process: they verify nothing, count, and record when each notification arrived. */
import { createServer, type Socket } from 'node:net';
import { serve } from '#test/bench/child';
import { listen } from '#test/bench/listen';
import { nowMs } from '#test/bench/numbers';

/** How a consumer answers. */
export interface Behaviour {
  /** Delay before the answer; 0 by default. */
  readonly delayMs?: number;
  readonly answer?: '200' | '503' | 'never';
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n';
const END_OF_HEAD = '\r\n\r\n';
/** A notification begins with its id. */
const ID_AT = '{"notificationId":"'.length;
const ID_LENGTH = 36;

let acknowledged = 0;
let arrivals: [id: string, atMs: number][] | null = null;

/** Parses requests without an HTTP server, because the consumers share the processors with the measured processes. */
function serveSocket(socket: Socket, behaviour: Behaviour): void {
  let unread: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    for (;;) {
      const head = unread.indexOf(END_OF_HEAD);
      if (head < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(unread.toString('latin1', 0, head + 2))?.[1];
      const end = head + END_OF_HEAD.length + Number(length ?? 0);
      if (unread.length < end) return;
      if (unread[0] === 'G'.charCodeAt(0)) answerCount(socket);
      else answerPost(socket, unread.subarray(head + END_OF_HEAD.length, end), behaviour);
      unread = unread.subarray(end);
    }
  });
}

function answerPost(socket: Socket, body: Buffer, { delayMs, answer = '200' }: Behaviour): void {
  if (answer === 'never') return;
  if (answer === '503') return void socket.write(UNAVAILABLE);
  const id = body.toString('latin1', ID_AT, ID_AT + ID_LENGTH);
  const acknowledge = (): void => {
    acknowledged += 1;
    arrivals?.push([id, nowMs()]);
    socket.write(OK);
  };
  if (delayMs === undefined) acknowledge();
  else setTimeout(acknowledge, delayMs);
}

/** `GET /`: how many notifications all consumers have acknowledged; the producers read it. */
function answerCount(socket: Socket): void {
  const text = String(acknowledged);
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${String(text.length)}\r\n\r\n${text}`);
}

const calls = {
  /** Starts consumers. @returns their ports */
  start: ({ count, behaviour }: { count: number; behaviour: Behaviour }): Promise<number[]> =>
    Promise.all(
      Array.from({ length: count }, () => listen(createServer((socket) => serveSocket(socket, behaviour)))),
    ),
  count: (): { acknowledged: number; atMs: number } => ({ acknowledged, atMs: nowMs() }),
  recordArrivals: (): void => void (arrivals = []),
  /** The arrivals since `recordArrivals`. */
  takeArrivals: (): [id: string, atMs: number][] => {
    const recorded = arrivals ?? [];
    arrivals = null;
    return recorded;
  },
};

export type ConsumersProcess = typeof calls;
serve(calls);
