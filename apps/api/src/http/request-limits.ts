import type { FastifyInstance } from 'fastify';
import { signInBytes } from '../access/presented-key.js';
import { repeatedKey } from './repeated-key.js';

/** A request's body, in bytes (contract, "Errors"): 256 KiB, a batch of events 5 MiB. */
export const MAX_BODY_BYTES = 256 * 1024;
export const MAX_BATCH_BODY_BYTES = 5 * 1024 * 1024;

/** Shown of a name that a request invents. */
const MAX_SHOWN = 100;

/** Raised by the body parser; `statusCode` is what Fastify and the problem filter answer with. */
export class BodyRefusedError extends Error {
  override readonly name = 'BodyRefusedError';
  constructor(
    readonly statusCode: 400 | 413,
    message: string,
  ) {
    super(message);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Reads JSON bodies and nothing else. Bytes that are no UTF-8 are refused: decoded leniently they would be
 * stored as something that the producer never sent.
 */
export function acceptJsonOnly(server: FastifyInstance): void {
  const limitOf = (url: string): number =>
    url.split('?', 1)[0] === '/v1/events/batch' ? MAX_BATCH_BODY_BYTES : (signInBytes(url) ?? MAX_BODY_BYTES);

  server.addHook('onRequest', async (request) => {
    const { 'content-length': announced, 'transfer-encoding': chunked } = request.headers;
    // A stranger's body has to say how long it is: without that it would be read up to the batch's limit.
    const isHidden = chunked !== undefined && signInBytes(request.url) !== undefined;
    const length = isHidden ? Infinity : Number(announced ?? 0);
    if (length > limitOf(request.url)) throw tooLarge(limitOf(request.url));
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BATCH_BODY_BYTES },
    (request, body, done) => {
      try {
        if (body.length > limitOf(request.url)) throw tooLarge(limitOf(request.url));
        done(null, parse(body));
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  );
}

function parse(body: Buffer): unknown {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    throw new BodyRefusedError(400, 'The body is not valid UTF-8.');
  }
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BodyRefusedError(400, 'The body is not valid JSON.');
  }
  const repeated = repeatedKey(text);
  if (repeated === null) return value;
  throw new BodyRefusedError(400, `The body names "${repeated.slice(0, MAX_SHOWN)}" twice in one object.`);
}

const tooLarge = (limit: number): BodyRefusedError =>
  new BodyRefusedError(413, `The body is larger than ${String(limit / 1024)} KiB.`);
