import type { FastifyInstance } from 'fastify';
import { signInBytes } from '../access/presented-key.js';
import { BodyRefusedError, readJson } from './read-json.js';

/** The largest body of a request in bytes (contract, "Errors"); a batch of events may have 5 MiB. */
export const MAX_BODY_BYTES = 256 * 1024;
export const MAX_BATCH_BODY_BYTES = 5 * 1024 * 1024;

/**
 * Reads JSON bodies and nothing else. Fastify checks the size, announced or not, against the limit of the route; routes
 * that are registered later get theirs here, and the server's `bodyLimit` holds for all others.
 */
export function readJsonBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const limit = route.url === '/v1/events/batch' ? MAX_BATCH_BODY_BYTES : signInBytes(route.url);
    if (limit !== undefined) route.bodyLimit = limit;
  });
  server.addHook('onRequest', async ({ headers, url }, reply) => {
    // A sign-in is the only body that is read without a key, so its client announces the length.
    if (headers['transfer-encoding'] !== undefined && signInBytes(url) !== undefined)
      throw new BodyRefusedError(413, 'Announce the length of this body with Content-Length.');
    const coding = headers['content-encoding'];
    if (coding !== undefined && coding.toLowerCase() !== 'identity') {
      void reply.header('accept-encoding', 'identity'); // RFC 9110, section 15.5.16
      throw new BodyRefusedError(
        415,
        'Send the body without Content-Encoding: compressed bodies are not accepted.',
      );
    }
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, readJson(body));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
