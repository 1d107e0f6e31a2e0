import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { demandRole, type RequestWithCaller } from './caller.js';
import { signInBytes } from './presented-key.js';
import { BodyBudget, consumersBudget } from '../http/body-budget.js';
import { BodyRefusedError, readJson, readJsonInSteps } from '../http/read-json.js';

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

/** What an event needs besides its text, in bytes of a body: a small event would count too little by its text alone. */
const BYTES_OF_EVENT = 512;

interface Taken {
  /** Takes more bytes for the same key. */
  readonly take: (bytes: number) => () => void;
  readonly releases: (() => void)[];
}

/** The budgets of an api process. */
export interface BodyBudgets {
  readonly ofBank: BodyBudget;
  readonly ofConsumers: BodyBudget;
}

/**
 * Bounds the bodies under way (`BodyBudget`) before they are read: of the bank's callers by key, and of consumers by
 * consumer, which have a budget of their own, so that no consumer takes the room of a producer. A body without a length
 * counts as the largest that its route allows. It is under way until its answer is ready, or its client has disconnected
 * before it was complete. A batch is refused before it is read if its caller may not post events, and before it is
 * checked if it has too many.
 */
export function boundBodies(
  server: FastifyInstance,
  { ofBank, ofConsumers }: BodyBudgets = { ofBank: new BodyBudget(), ofConsumers: consumersBudget() },
): void {
  const underWay = new WeakMap<FastifyRequest, Taken>();
  server.addHook('onRequest', async (request: RequestWithCaller) => {
    const bytes = isChunked(request) ? limitOf(request.url) : Number(request.headers['content-length'] ?? 0);
    const { presented, caller, raw } = request;
    // Without a caller the body is never read, or it is that of a sign-in, which is small.
    if (bytes === 0 || presented == null || caller === undefined) return;
    if (isBatch(request.url)) demandRole(caller, ['producer']);
    const take = (more: number): (() => void) =>
      caller.consumerId === null
        ? ofBank.take(presented.hash.toString('base64'), more)
        : ofConsumers.take(caller.consumerId, more);
    const release = take(bytes);
    underWay.set(request, { take, releases: [release] });
    // A client that has disconnected during the look-up of its key causes no other event.
    if (raw.destroyed) release();
    else raw.once('close', () => raw.complete || release());
  });
  server.addHook('preValidation', async (request) => {
    const taken = underWay.get(request);
    const events = isBatch(request.url) ? eventsIn(request.body) : 0;
    if (events > 0) taken?.releases.push(taken.take(events * BYTES_OF_EVENT));
  });
  server.addHook('onSend', async (request) => {
    const taken = underWay.get(request);
    if (taken === undefined) return;
    // The body is not kept for an answer that its client reads slowly.
    request.body = undefined;
    for (const release of taken.releases) release();
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
    this.last = read.then(ignore, ignore);
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

/** Keeps no body. */
const ignore = (): void => undefined;

function limitOf(url: string): number {
  return isBatch(url) ? MAX_BATCH_BODY_BYTES : (signInBytes(url) ?? MAX_BODY_BYTES);
}

const isBatch = (url: string): boolean => url.split('?', 1)[0] === '/v1/events/batch';

const eventsIn = (body: unknown): number =>
  typeof body === 'object' && body !== null && 'events' in body && Array.isArray(body.events)
    ? body.events.length
    : 0;

const isChunked = ({ headers }: FastifyRequest): boolean => headers['transfer-encoding'] !== undefined;

function refuseTooLarge({ url }: FastifyRequest, bytes: number): void {
  const limit = limitOf(url);
  if (bytes > limit) throw new BodyRefusedError(413, `The body is larger than ${String(limit / 1024)} KiB.`);
}
