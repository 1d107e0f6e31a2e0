import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { problem, PROBLEM_MEDIA_TYPE } from '#libs/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANSWER_HEADERS } from './answer-headers.js';

/**
 * Answers requests that Fastify's router refuses before hooks and filters run. Fastify's own message repeats the URL,
 * which can contain an account number.
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
    .send(
      JSON.stringify(problem({ status, detail: ROUTER_DETAILS[status] ?? INTERNAL_ERROR, requestId: id })),
    );
}

const INTERNAL_ERROR = 'An internal error.';
const ROUTER_DETAILS: Readonly<Record<number, string>> = {
  400: 'The URL is not validly percent-encoded.',
  414: 'A part of the URL’s path is too long.',
};

/** Answers on the socket to an invalid, oversized or slow request, for which Node has no response object. */
export function refuseOnSocket(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(refusal(...(PARSER_REFUSALS[error.code ?? ''] ?? INVALID_REQUEST)));
  socket.destroy(error);
}

/** Answers an `Expect` other than `100-continue`; Node's own answer has no body. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { headers, body } = lastAnswer(417, 'Only 100-continue can be expected.');
  response.writeHead(417, headers).end(body);
}

/** Refuses a tunnel (CONNECT). Node does not answer it, and leaves the socket and its errors to the application. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => undefined).end(refusal(405, 'Tunnels (CONNECT) are not supported.'));
}

function refusal(status: number, detail: string): string {
  const { headers, body } = lastAnswer(status, detail);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${body}`;
}

/** The last answer of a connection. */
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
const INVALID_REQUEST: Refusal = [400, 'This is not a valid HTTP/1.1 request.'];
const PARSER_REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The URL and the headers are too large together.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of the chunks are too large.'],
};
