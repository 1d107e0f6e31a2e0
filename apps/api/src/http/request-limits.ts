import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RequestWithCaller } from '../access/caller.js';
import { signInBytes } from '../access/presented-key.js';
import { BodyBudget } from './body-budget.js';
import { BodyRefusedError, readJson, readJsonInSteps } from './read-json.js';

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
  const largeBodies = new LargeBodies();
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BATCH_BODY_BYTES },
    async (request: FastifyRequest, body: Buffer) => {
      if (isChunked(request)) refuseTooLarge(request, body.length);
      return body.length > MAX_BODY_BYTES ? largeBodies.read(body) : readJson(body);
    },
  );
}

/**
 * Bounds the bodies under way (`BodyBudget`) before they are read. A body without a length counts as the largest that
 * its route allows. It is under way until it is answered; after a client has disconnected, until its work is done.
 */
export function boundBodies(server: FastifyInstance, budget = new BodyBudget()): void {
  const releases = new WeakMap<FastifyRequest, () => void>();
  server.addHook('onRequest', async (request: RequestWithCaller, reply) => {
    const bytes = isChunked(request) ? limitOf(request.url) : Number(request.headers['content-length'] ?? 0);
    const { presented } = request;
    if (bytes === 0 || presented == null) return;
    const release = budget.take(presented.hash.toString('base64'), bytes);
    releases.set(request, release);
    reply.raw.once('close', () => {
      if (reply.sent || !request.raw.complete) release();
    });
  });
  server.addHook('onSend', async (request, reply) => {
    if (reply.raw.destroyed || reply.raw.closed) releases.get(request)?.();
  });
}

/**
 * Reads large bodies one after the other, each step in a turn of the event loop of its own: together they would hold it
 * for seconds, and no other request would be answered.
 */
class LargeBodies {
  private last: Promise<unknown> = Promise.resolve();

  read(body: Buffer): Promise<unknown> {
    const read = this.readAfter(this.last, body);
    this.last = read.catch(() => undefined);
    return read;
  }

  private async readAfter(former: Promise<unknown>, body: Buffer): Promise<unknown> {
    await former;
    const steps = readJsonInSteps(body);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await nextTurn();
    }
  }
}

function limitOf(url: string): number {
  const isBatch = url.split('?', 1)[0] === '/v1/events/batch';
  return isBatch ? MAX_BATCH_BODY_BYTES : (signInBytes(url) ?? MAX_BODY_BYTES);
}

const isChunked = ({ headers }: FastifyRequest): boolean => headers['transfer-encoding'] !== undefined;

function refuseTooLarge({ url }: FastifyRequest, bytes: number): void {
  const limit = limitOf(url);
  if (bytes > limit) throw new BodyRefusedError(413, `The body is larger than ${String(limit / 1024)} KiB.`);
}
