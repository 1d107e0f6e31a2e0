import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import type { Caller, RequestWithCaller } from './caller.js';
import { BodyBudget } from '../http/body-budget.js';
import { waitUntil } from '#test/support/wait-until';
import { boundBodies, readJsonBodies } from './request-limits.js';

const PRODUCER: Caller = { name: 'hub', roles: ['producer'], consumerId: null };
const CONSUMER: Caller = { name: 'treasury', roles: ['consumer'], consumerId: 'acme' };

describe('boundBodies', () => {
  let server: FastifyInstance;
  let budgets: { ofBank: BodyBudget; ofConsumers: BodyBudget };
  let url: URL;
  let caller: Caller;
  /** Resolves the look-up of the key. */
  let lookedUp: Promise<void>;
  let answered: Promise<void>;
  let handled: number;

  beforeEach(async () => {
    budgets = { ofBank: new BodyBudget(1_000, 500), ofConsumers: new BodyBudget(1_000, 500) };
    await start();
  });
  afterEach(() => server.close());

  async function restart(): Promise<void> {
    await server.close();
    await start();
  }

  async function start(): Promise<void> {
    [caller, lookedUp, answered, handled] = [PRODUCER, Promise.resolve(), Promise.resolve(), 0];
    server = fastify();
    server.addHook('onRequest', async (request: RequestWithCaller) => {
      request.presented = { kind: 'key', hash: Buffer.from(caller.name) };
      await lookedUp;
      request.caller = caller;
    });
    readJsonBodies(server);
    boundBodies(server, budgets);
    server.post('/v1/*', async () => {
      handled += 1;
      await answered;
      return {};
    });
    url = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
  }

  const open = async (): Promise<Socket> => {
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, 'connect');
    return socket;
  };
  const head = (path: string, bytes: number): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${String(bytes)}\r\n\r\n`;
  const post = (path: string, payload: object = { a: 1 }) =>
    server.inject({ method: 'POST', url: path, payload });
  const until = (what: string, condition: () => boolean): Promise<boolean> =>
    waitUntil(async () => condition(), { what, everyMs: 5 });

  it('has a body under way from its head until its answer', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answered = promise;
    const answer = post('/v1/events', { text: 'x'.repeat(100) });
    await until('the request to be handled', () => handled === 1);
    expect(budgets.ofBank.bytes).toBe(111);
    resolve();
    expect((await answer).statusCode).toBe(200);
    expect(budgets.ofBank.bytes).toBe(0);
  });

  it('gives back the bytes of a client that disconnects during the look-up of its key, or in the middle of its body', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    lookedUp = promise;
    const early = await open();
    const seen = once(server.server, 'request');
    early.write(head('/v1/events', 400));
    const [{ socket }] = await seen;
    early.destroy();
    await until('the server to see the end of the connection', () => socket.destroyed);
    resolve();
    const late = await open();
    late.write(`${head('/v1/events', 200)}{"a":`);
    await until('the body to be under way', () => budgets.ofBank.bytes === 200);
    late.destroy();
    await until('the bytes to be given back', () => budgets.ofBank.bytes === 0);
    expect(handled).toBe(0);
  });

  it('gives back the bytes of requests that wait for their turn on a connection that ends', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answered = promise;
    const socket = await open();
    const request = `${head('/v1/events', 7)}{"a":1}`;
    socket.write(request + request);
    await until('both requests to be handled', () => handled === 2);
    expect(budgets.ofBank.bytes).toBe(14);
    socket.destroy();
    resolve();
    await until('the bytes to be given back', () => budgets.ofBank.bytes === 0);
  });

  it('counts the events of a batch besides its bytes, and refuses one with too many before it is handled', async () => {
    budgets = { ofBank: new BodyBudget(20_000, 10_000), ofConsumers: budgets.ofConsumers };
    await restart();
    const { promise, resolve } = Promise.withResolvers<void>();
    answered = promise;
    const events = Array.from({ length: 15 }, () => ({}));
    const first = post('/v1/events/batch', { events });
    await until('the request to be handled', () => handled === 1);
    expect(budgets.ofBank.bytes).toBe(15 * 512 + JSON.stringify({ events }).length);
    expect((await post('/v1/events/batch', { events })).statusCode).toBe(429);
    resolve();
    expect((await first).statusCode).toBe(200);
    expect([handled, budgets.ofBank.bytes]).toEqual([1, 0]);
  });

  it('bounds the bodies of a consumer by themselves, and refuses its batch of events before it is read', async () => {
    caller = CONSUMER;
    expect((await post('/v1/events/batch', { events: [] })).statusCode).toBe(403);
    const { promise, resolve } = Promise.withResolvers<void>();
    answered = promise;
    const first = post('/v1/portal/replays', { text: 'x'.repeat(300) });
    await until('the request to be handled', () => handled === 1);
    expect([budgets.ofConsumers.bytes, budgets.ofBank.bytes]).toEqual([311, 0]);
    expect((await post('/v1/portal/replays', { text: 'x'.repeat(300) })).statusCode).toBe(429);
    resolve();
    expect((await first).statusCode).toBe(200);
  });
});
