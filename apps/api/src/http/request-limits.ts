import type { FastifyInstance, FastifyRequest } from 'fastify';
import { signInBytes } from '../access/presented-key.js';
import { BodyRefusedError, readJson } from './read-json.js';

/** The largest body of a request in bytes (contract, "Errors"); a batch of events may have 5 MiB. */
const MAX_BODY_BYTES = 256 * 1024;
export const MAX_BATCH_BODY_BYTES = 5 * 1024 * 1024;

/**
 * Reads JSON bodies and nothing else, each up to the size that its route allows: by the length that it announces, or else
 * by what was read. A body without a length is read up to the batch's limit, since a connection that is closed while its
 * client still writes may lose the answer.
 */
export function readJsonBodies(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const { 'content-length': announced, 'content-encoding': coding } = request.headers;
    // A sign-in is the only body that is read without a key, so its client announces the length.
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
