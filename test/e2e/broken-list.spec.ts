import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptLargeNotifications } from '#test/support/large-notifications';
import { OwnPostgres } from '#test/support/own-postgres';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

/** Larger than the socket buffers of both sides, so that the api waits for the client. */
const EVENTS = 90;
const PATH = '/v1/notifications?limit=1000';
const ABORTED = 'answer.aborted';
const ABANDONED = 'answer.abandoned';

let postgres: OwnPostgres;
let system: System;
let key: string;

beforeAll(async () => {
  postgres = await OwnPostgres.create({ durable: false });
  system = await System.start({
    backend: 'redis',
    workers: 0,
    databaseUrl: postgres.adminUrl,
    env: { LOG_LEVEL: 'debug' },
  });
  key = await acceptLargeNotifications(system, EVENTS);
});
afterAll(async () => {
  await system.stop();
  await postgres.remove();
});

const lines = (message: string): string[] =>
  system.api.output.split('\n').filter((line) => line.includes(`"msg":"${message}"`));

/** Starts to read a list. The api then waits for the client to read the rest. */
async function startReading(): Promise<IncomingMessage> {
  const request = get(`${system.api.baseUrl}${PATH}`, { headers: { authorization: `Bearer ${key}` } });
  const [response]: [IncomingMessage] = await once(request, 'response').then(([message]) => [message]);
  await once(response, 'readable');
  return response;
}

it('cuts off a list whose database connection is lost, logs it once, and never sends it as complete', async () => {
  const response = await startReading();
  expect(response.statusCode).toBe(200);
  await postgres.stop();
  let text = '';
  const readRest = async (): Promise<void> => {
    for await (const part of response) text += String(part);
  };
  await expect(readRest()).rejects.toThrow('aborted');
  expect(text.startsWith('{"events":[{"notificationId":"')).toBe(true);
  expect(text).not.toContain('"pagination"');
  expect(() => JSON.parse(text)).toThrow(/JSON/);
  await waitUntil(() => lines(ABORTED).length > 0, { what: 'the fault to be logged' });
  expect(lines(ABORTED)).toHaveLength(1);
  expect(lines('request.failed')).toEqual([]);
  expect(lines(ABANDONED)).toEqual([]);

  const refused = await fetch(`${system.api.baseUrl}${PATH}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  await refused.arrayBuffer();
  await postgres.start();
  await waitUntil(async () => (await fetch(`${system.api.baseUrl}/readyz`)).ok, {
    what: 'the api to be ready',
  });
});

it('logs no error when the client of a list disconnects before or during the answer', async () => {
  const faults = (): string[] => system.api.output.split('\n').filter((line) => line.includes('"level":50'));
  const before = faults().length;
  const early = connect(system.api.port, '127.0.0.1');
  await once(early, 'connect');
  early.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`, () =>
    early.destroy(),
  );
  await waitUntil(() => lines(ABANDONED).length === 1, { what: 'the first list to be abandoned' });
  const response = await startReading();
  response.destroy();
  await waitUntil(() => lines(ABANDONED).length === 2, { what: 'the second list to be abandoned' });
  expect(faults().slice(before)).toEqual([]);
  const complete = await startReading();
  complete.resume();
  await once(complete, 'end');
  expect(faults().slice(before)).toEqual([]);
});
