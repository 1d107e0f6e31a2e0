import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { problem, PROBLEM_MEDIA_TYPE } from '#libs/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANSWER_HEADERS } from './answer-headers.js';

/**
 * Answers what Fastify's router refuses before any hook or filter runs. Its own words repeat the URL, which may hold
 * an account number.
 */
export function refuseBeforeRouting(
  error: Error & { readonly statusCode?: number },
  { id }: FastifyRequest,
  reply: FastifyReply,
): void {
  const status = error.statusCode ?? 500;
  void reply
    .status(status)
    .headers(headersFor(id))
    .send(JSON.stringify(problem({ status, detail: ROUTER_DETAILS[status] ?? OURS, requestId: id })));
}

const OURS = 'A fault of ours.';
const ROUTER_DETAILS: Readonly<Record<number, string>> = {
  400: 'The URL is not validly percent-encoded.',
  414: 'A part of the URL’s path is too long.',
};

/** Answers what is no HTTP request, or came too slowly to become one; there is nothing but the socket yet. */
export function refuseOnSocket(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(refusal(...(PARSER_REFUSALS[error.code ?? ''] ?? NO_REQUEST)));
  socket.destroy(error);
}

/** Answers an `Expect` that is not `100-continue`; Node's own answer to it has no body. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { headers, body } = lastAnswer(417, 'Nothing but 100-continue can be expected.');
  response.writeHead(417, headers).end(body);
}

/** Refuses a tunnel (CONNECT), whose socket Node leaves to us, errors included; its own answer to it is none. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => undefined).end(refusal(405, 'There is no tunnel through here.'));
}

function refusal(status: number, detail: string): string {
  const { headers, body } = lastAnswer(status, detail);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${body}`;
}

/** After it the connection is closed. */
function lastAnswer(status: number, detail: string): { headers: Record<string, string>; body: string } {
  const requestId = randomUUID();
  const body = JSON.stringify(problem({ status, detail, requestId }));
  const length = String(Buffer.byteLength(body));
  return { headers: { ...headersFor(requestId), 'content-length': length, connection: 'close' }, body };
}

const headersFor = (requestId: string): Record<string, string> => ({
  ...ANSWER_HEADERS,
  'content-type': PROBLEM_MEDIA_TYPE,
  'x-request-id': requestId,
});

type Refusal = readonly [status: number, detail: string];
const NO_REQUEST: Refusal = [400, 'This is not a valid HTTP/1.1 request.'];
const PARSER_REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The URL and the headers are too large together.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of the chunks are too large.'],
};
