import type { FastifyInstance, FastifyRequest } from 'fastify';
import { signInBytes } from '../access/presented-key.js';
import { BodyRefusedError, readJson } from './read-json.js';

/** A request's body, in bytes (contract, "Errors"): 256 KiB, a batch of events 5 MiB. */
export const MAX_BODY_BYTES = 256 * 1024;
export const MAX_BATCH_BODY_BYTES = 5 * 1024 * 1024;

/** Reads JSON bodies and nothing else, each up to the size that its route takes. */
export function acceptJsonOnly(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const { 'content-length': announced, 'transfer-encoding': chunked } = request.headers;
    // The body of a sign-in has to say how long it is: without that it would be read up to the batch's limit.
    const isHidden = chunked !== undefined && signInBytes(request.url) !== undefined;
    const length = isHidden ? Infinity : Number(announced ?? 0);
    if (length > limitOf(request)) throw tooLarge(request);
    const coding = request.headers['content-encoding'];
    if (coding !== undefined && coding.toLowerCase() !== 'identity') {
      void reply.header('accept-encoding', 'identity'); // RFC 9110, section 15.5.16
      throw new BodyRefusedError(
        415,
        'Send the body without Content-Encoding: compressed bodies are not taken.',
      );
    }
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BATCH_BODY_BYTES },
    (request, body, done) => {
      try {
        if (body.length > limitOf(request)) throw tooLarge(request);
        done(null, readJson(body));
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  );
}

const limitOf = ({ url }: FastifyRequest): number =>
  url.split('?', 1)[0] === '/v1/events/batch' ? MAX_BATCH_BODY_BYTES : (signInBytes(url) ?? MAX_BODY_BYTES);

const tooLarge = (request: FastifyRequest): BodyRefusedError =>
  new BodyRefusedError(413, `The body is larger than ${String(limitOf(request) / 1024)} KiB.`);
