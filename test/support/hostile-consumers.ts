import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Outcome } from '#libs/contracts';
import type { LoopbackConsumers } from '../../libs/egress/src/testing/loopback-consumers.js';

export interface HostileConsumer {
  readonly name: string;
  /** Starts the consumer. @returns its URL */
  readonly start: (consumers: LoopbackConsumers) => Promise<string>;
  /** The outcome of every attempt with a timeout of some seconds. */
  readonly outcome: Outcome;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const BOMB = gzipSync(Buffer.alloc(10_000_000));
const overTls = (url: string): string => url.replace('http:', 'https:');

/** Repeats a text as fast as the client reads, until the connection closes. */
function flood(socket: Socket, text: string): void {
  const pump = (): void => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', pump);
  pump();
}

/** Sends `start`, then a `drop` every 20 ms. */
function trickle(socket: Socket, start: string, drop: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(drop), 20);
  socket.on('close', () => clearInterval(timer));
}

const raw =
  (answer: (socket: Socket) => void) =>
  (consumers: LoopbackConsumers): Promise<string> =>
    consumers.raw(answer);
const saying = (text: string) => raw((socket) => socket.write(text));

/** The ways in which a malicious or faulty consumer can harm its caller. */
export const HOSTILE_CONSUMERS: readonly HostileConsumer[] = [
  { name: 'silence', start: raw(() => undefined), outcome: 'timeout' },
  { name: 'slow headers', start: raw((socket) => trickle(socket, OK, 'x-a: b\r\n')), outcome: 'timeout' },
  {
    name: 'a slow body',
    start: raw((socket) => trickle(socket, `${OK}content-length: 60000\r\n\r\n`, 'x')),
    outcome: 'acknowledged',
  },
  {
    name: 'an endless body',
    start: raw((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      flood(socket, `400\r\n${'x'.repeat(1_024)}\r\n`);
    }),
    outcome: 'acknowledged',
  },
  {
    name: 'endless chunk extensions',
    start: raw((socket) => {
      trickle(socket, `${OK}transfer-encoding: chunked\r\n\r\n1`, ';a=b'.repeat(1_000));
    }),
    outcome: 'acknowledged',
  },
  {
    name: 'endless headers',
    start: raw((socket) => {
      socket.write(OK);
      flood(socket, `x-filler: ${'x'.repeat(100)}\r\n`);
    }),
    outcome: 'invalid_response',
  },
  {
    name: 'a gigantic header',
    start: saying(`${OK}x-large: ${'x'.repeat(10_000_000)}`),
    outcome: 'invalid_response',
  },
  {
    name: 'endless 1xx answers',
    start: raw((socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(50))),
    outcome: 'invalid_response',
  },
  { name: 'not HTTP', start: saying('SSH-2.0-OpenSSH_9.6\r\n'), outcome: 'invalid_response' },
  {
    name: 'contradictory body lengths',
    start: saying(`${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    outcome: 'invalid_response',
  },
  { name: 'a connection reset', start: raw((socket) => socket.resetAndDestroy()), outcome: 'reset' },
  { name: 'an end in the headers', start: raw((socket) => socket.end(`${OK}content-`)), outcome: 'reset' },
  {
    name: 'a compressed bomb',
    start: raw((socket) => {
      socket.write(
        `${OK}connection: close\r\ncontent-encoding: gzip\r\ncontent-length: ${String(BOMB.length)}\r\n\r\n`,
      );
      socket.write(BOMB);
    }),
    outcome: 'acknowledged',
  },
  {
    name: 'a second answer after the first',
    start: saying(`${OK}content-length: 0\r\n\r\n${OK}content-length: 0\r\n\r\n`),
    outcome: 'acknowledged',
  },
  {
    name: 'a redirect loop',
    start: saying('HTTP/1.1 307 Again\r\nconnection: close\r\nlocation: /hook\r\ncontent-length: 0\r\n\r\n'),
    outcome: 'redirect',
  },
  {
    name: 'plain HTTP on an https URL',
    start: async (consumers) => overTls(await consumers.saying(`${OK}content-length: 0\r\n\r\n`)),
    outcome: 'tls',
  },
  {
    name: 'a connection that ends in the TLS handshake',
    start: async (consumers) => overTls(await consumers.raw((socket) => socket.end())),
    outcome: 'tls',
  },
  {
    name: 'a TLS handshake that stalls',
    start: async (consumers) => overTls(await consumers.raw(() => undefined)),
    outcome: 'timeout',
  },
];
