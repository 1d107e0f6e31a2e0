import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problem, PROBLEM_MEDIA_TYPE } from '#libs/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

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
    .header('x-request-id', id)
    .header('x-content-type-options', 'nosniff')
    .header('content-type', PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify(problem({ status, detail: ROUTER_DETAILS[status] ?? OURS, requestId: id })));
}

const OURS = 'A fault of ours.';
const ROUTER_DETAILS: Readonly<Record<number, string>> = {
  400: 'The URL is not validly percent-encoded.',
  414: 'A part of the URL’s path is too long.',
};

/** Answers what is no HTTP request, or came too slowly to become one; there is nothing but the socket yet. */
export function refuseOnSocket(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, detail] = PARSER_REFUSALS[error.code ?? ''] ?? [
    400,
    'This is not a valid HTTP/1.1 request.',
  ];
  const requestId = randomUUID();
  const body = JSON.stringify(problem({ status, detail, requestId }));
  if (socket.writable) {
    const head = [
      `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
      `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
      `Content-Length: ${String(Buffer.byteLength(body))}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy(error);
}

const PARSER_REFUSALS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The URL and the headers are too large together.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of the chunks are too large.'],
};
