import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { sendProblem, statusOf } from '#libs/listener';
import { createLogger, Metrics } from '#libs/observability';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import type { RequestWithCaller } from './caller.js';
import { watchOpenAnswers } from './open-answers.js';

let server: FastifyInstance;
let url: string;
let open: Readable[];

beforeEach(async () => {
  open = [];
  server = fastify({ forceCloseConnections: true });
  server.addHook('onRequest', async (request: RequestWithCaller) => {
    const name = request.headers['x-caller'];
    if (typeof name === 'string') request.caller = { name, roles: ['viewer'], consumerId: null };
  });
  server.setErrorHandler((error, { id }, reply) => {
    sendProblem(reply, { status: statusOf(error) ?? 500, detail: 'refused', requestId: id });
  });
  watchOpenAnswers(server, createLogger({ level: 'silent', process: 'test' }), new Metrics());
  server.get('/', async () => {
    const list = new Readable({ read: () => undefined });
    list.push('{');
    open.push(list);
    return list;
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

async function ask(caller?: string): Promise<IncomingMessage> {
  const request = get(url, { agent: false, headers: caller === undefined ? {} : { 'x-caller': caller } });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  return response.on('error', () => undefined);
}

const statusesOf = async (callers: readonly string[]): Promise<Set<number | undefined>> =>
  new Set((await Promise.all(callers.map((caller) => ask(caller)))).map(({ statusCode }) => statusCode));

const many = (count: number, caller: string): string[] => Array.from({ length: count }, () => caller);

it('a caller with a hundred open lists gets 429 until one has ended, and other callers are served', async () => {
  expect(await statusesOf(many(100, 'one'))).toEqual(new Set([200]));
  expect((await ask('one')).statusCode).toBe(429);
  expect(open.at(-1)?.destroyed).toBe(true);
  expect((await ask('other')).statusCode).toBe(200);
  const [first] = open;
  if (first === undefined) throw new Error('no list is open');
  first.push(null);
  await once(first, 'close');
  expect((await ask('one')).statusCode).toBe(200);
  expect((await ask('one')).statusCode).toBe(429);
});

it('at most two hundred lists are open for all callers, and a list ends when its client disconnects', async () => {
  expect(await statusesOf([...many(100, 'one'), ...many(99, 'other')])).toEqual(new Set([200]));
  const last = await ask('third');
  expect(last.statusCode).toBe(200);
  expect((await ask('third')).statusCode).toBe(503);
  expect((await ask()).statusCode).toBe(200);
  const abandoned = open[199];
  last.destroy();
  if (abandoned === undefined) throw new Error('fewer than two hundred lists are open');
  await once(abandoned, 'close');
  expect((await ask('third')).statusCode).toBe(200);
});
