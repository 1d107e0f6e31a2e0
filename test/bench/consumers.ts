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
  /** One request of so many is never answered. */
  readonly oneHangsOf?: number;
  /** Whether to keep when each request came, answered or not; see `takeTimes`. */
  readonly isTimed?: boolean;
}

/** A port and how the consumers behind it answer, which can change. */
interface Answering {
  behaviour: Behaviour;
  requests: number;
  times: number[];
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n';
const END_OF_HEAD = '\r\n\r\n';
const END_OF_CHUNKS = '\r\n0\r\n\r\n';
/** The product's notification begins with its id. */
const BEGIN = '{"notificationId":"';
const ID_LENGTH = 36;

const answering = new Map<number, Answering>();
let acknowledged = 0;
let arrivals: [id: string, atMs: number][] | null = null;

/** Parses requests without an HTTP server, because the consumers share the processors with the measured processes. */
function serveSocket(socket: Socket, at: Answering): void {
  let unread: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    for (;;) {
      const head = unread.indexOf(END_OF_HEAD);
      if (head < 0) return;
      const headers = unread.toString('latin1', 0, head + 2);
      const end = endOf(unread, head, headers);
      if (unread.length < end) return;
      if (unread[0] === 'G'.charCodeAt(0)) answerCount(socket);
      else answerPost(socket, idOf(headers, unread.subarray(head + END_OF_HEAD.length, end)), at);
      unread = unread.subarray(end);
    }
  });
}

/** The end of a request's body; infinite while its chunks are not complete. */
function endOf(unread: Buffer, head: number, headers: string): number {
  const length = /\r\ncontent-length: (\d+)/i.exec(headers)?.[1];
  if (length !== undefined || !/\r\ntransfer-encoding: chunked/i.test(headers))
    return head + END_OF_HEAD.length + Number(length ?? 0);
  const last = unread.indexOf(END_OF_CHUNKS, head);
  return last < 0 ? Infinity : last + END_OF_CHUNKS.length;
}

/** The event's id: at the start of the product's body, in a header of a peer. */
function idOf(headers: string, body: Buffer): string {
  if (body.toString('latin1', 0, BEGIN.length) === BEGIN)
    return body.toString('latin1', BEGIN.length, BEGIN.length + ID_LENGTH);
  return /\r\nwebhookx-event-id: (\S+)/i.exec(headers)?.[1] ?? '';
}

function answerPost(socket: Socket, id: string, at: Answering): void {
  const { delayMs, answer = '200', oneHangsOf = Infinity, isTimed = false } = at.behaviour;
  at.requests += 1;
  if (isTimed) at.times.push(nowMs());
  if (answer === 'never' || at.requests % oneHangsOf === 0) return;
  if (answer === '503') return void socket.write(UNAVAILABLE);
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
      Array.from({ length: count }, async () => {
        const at: Answering = { behaviour, requests: 0, times: [] };
        const port = await listen(createServer((socket) => serveSocket(socket, at)));
        answering.set(port, at);
        return port;
      }),
    ),
  /** From now on the consumers of a port answer in another way. */
  behave: ({ port, behaviour }: { port: number; behaviour: Behaviour }): void => {
    const at = answering.get(port);
    if (at !== undefined) at.behaviour = behaviour;
  },
  /** When the requests of a timed port came since the last call. */
  takeTimes: (port: number): number[] => answering.get(port)?.times.splice(0) ?? [],
  count: (): { acknowledged: number; atMs: number } => ({ acknowledged, atMs: nowMs() }),
  recordArrivals: (): void => void (arrivals = []),
  /** The arrivals since the last call, while they are recorded. */
  nextArrivals: (): [id: string, atMs: number][] => arrivals?.splice(0) ?? [],
  /** The arrivals since `recordArrivals`. */
  takeArrivals: (): [id: string, atMs: number][] => {
    const recorded = arrivals ?? [];
    arrivals = null;
    return recorded;
  },
};

export type ConsumersProcess = typeof calls;
serve(calls);
