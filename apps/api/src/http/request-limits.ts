import type { FastifyInstance, FastifyRequest } from 'fastify';
import { signInBytes } from '../access/presented-key.js';
import { BodyRefusedError, readJson } from './read-json.js';

/** Maximum body of a request in bytes (contract, "Errors"); a batch of events may have 5 MiB. */
const MAX_BODY_BYTES = 256 * 1024;
export const MAX_BATCH_BODY_BYTES = 5 * 1024 * 1024;

/**
 * Accepts only JSON bodies, up to the maximum size of their route. The size is the announced length, or else the
 * number of bytes read. A body without a length is read up to the limit of a batch, since closing a connection while
 * its client still writes may lose the response.
 */
export function readJsonBodies(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const { 'content-length': announced, 'content-encoding': coding } = request.headers;
    // Only the body of a sign-in is read without a key, so its length has to be announced.
    const isHidden = isChunked(request) && signInBytes(request.url) !== undefined;
    refuseTooLarge(request, isHidden ? Infinity : Number(announced ?? 0));
    if (coding !== undefined && coding.toLowerCase() !== 'identity') {
      void reply.header('accept-encoding', 'identity'); // RFC 9110, section 15.5.16
      throw new BodyRefusedError(
        415,
        'Send the body without Content-Encoding: compressed bodies are not accepted.',
      );
    }
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BATCH_BODY_BYTES },
    (request, body, done) => {
      try {
        if (isChunked(request)) refuseTooLarge(request, body.length);
        done(null, readJson(body));
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  );
}

const isChunked = ({ headers }: FastifyRequest): boolean => headers['transfer-encoding'] !== undefined;

function refuseTooLarge({ url }: FastifyRequest, bytes: number): void {
  const isBatch = url.split('?', 1)[0] === '/v1/events/batch';
  const limit = isBatch ? MAX_BATCH_BODY_BYTES : (signInBytes(url) ?? MAX_BODY_BYTES);
  if (bytes > limit) throw new BodyRefusedError(413, `The body is larger than ${String(limit / 1024)} KiB.`);
}
