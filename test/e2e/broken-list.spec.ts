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
const BROKEN_OFF = 'answer.aborted';
const LEFT = 'answer.abandoned';

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

/** A list whose beginning the client has read; the api waits for the client to read the rest. */
async function begun(): Promise<IncomingMessage> {
  const request = get(`${system.api.baseUrl}${PATH}`, { headers: { authorization: `Bearer ${key}` } });
  const [response]: [IncomingMessage] = await once(request, 'response').then(([message]) => [message]);
  await once(response, 'readable');
  return response;
}

it('cuts off a list whose database connection is lost, logs it once, and never sends it as complete', async () => {
  const response = await begun();
  expect(response.statusCode).toBe(200);
  await postgres.stop();
  let text = '';
  const taking = async (): Promise<void> => {
    for await (const part of response) text += String(part);
  };
  await expect(taking()).rejects.toThrow('aborted');
  expect(text.startsWith('{"events":[{"notificationId":"')).toBe(true);
  expect(text).not.toContain('"pagination"');
  expect(() => JSON.parse(text)).toThrow(/JSON/);
  await waitUntil(() => lines(BROKEN_OFF).length > 0, { what: 'the fault to be logged' });
  expect(lines(BROKEN_OFF)).toHaveLength(1);
  expect(lines('request.failed')).toEqual([]);
  expect(lines(LEFT)).toEqual([]);

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

it('ends a list without an error when the client disconnects during it or before it', async () => {
  const faults = (): string[] => system.api.output.split('\n').filter((line) => line.includes('"level":50'));
  const before = faults().length;
  const atOnce = connect(system.api.port, '127.0.0.1');
  await once(atOnce, 'connect');
  atOnce.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`, () =>
    atOnce.destroy(),
  );
  await waitUntil(() => lines(LEFT).length === 1, { what: 'the reading for the first client to end' });
  const response = await begun();
  response.destroy();
  await waitUntil(() => lines(LEFT).length === 2, { what: 'the reading for the second client to end' });
  expect(faults().slice(before)).toEqual([]);
  const whole = await begun();
  whole.resume();
  await once(whole, 'end');
  expect(faults().slice(before)).toEqual([]);
});
