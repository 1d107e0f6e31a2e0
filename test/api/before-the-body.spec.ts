import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { System } from '#test/support/system';
import { LONGEST_WAIT_MS } from '#test/support/wait-until';

let system: System;
beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
});
afterAll(() => system.stop());

/** The answer to a request whose body is announced, begun and never finished. */
async function answerToUnfinished(method: string, path: string, headers: object) {
  const sent = request(`${system.api.baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'content-length': '1000', ...headers },
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  });
  sent.write('{');
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (response === undefined) throw new Error('no response');
  const problem: { detail: string } = JSON.parse(await text(response));
  sent.on('error', () => undefined).destroy();
  return { status: response.statusCode, type: response.headers['content-type'], problem };
}

describe('a request without an API key', () => {
  it.each([
    ['POST', '/v1/events', {}],
    ['POST', '/v1/events/batch', { authorization: 'Basic d3Jvbmc6' }],
    ['POST', '/v1/events', { authorization: 'Bearer' }],
    ['PATCH', '/v1/consumers/0199c2f2-7b5e-7c3a-8f00-000000000000', { authorization: 'Bearer a b' }],
    ['DELETE', '/v1/consumers/0199c2f2-7b5e-7c3a-8f00-000000000000', {}],
    ['POST', '/v1/nothing', {}],
  ])('is refused before its body is read: %s %s %j', async (method, path, headers) => {
    const { status, type, problem } = await answerToUnfinished(method, path, headers);
    expect({ status, type }).toEqual({ status: 401, type: 'application/problem+json; charset=utf-8' });
    expect(problem.detail).toBe('Send an API key: Authorization: Bearer <key>.');
  });

  it('is refused for that, and not for its size or its type', async () => {
    for (const headers of [{ 'content-length': '99000000' }, { 'content-type': 'text/plain' }])
      expect((await answerToUnfinished('POST', '/v1/events', headers)).status).toBe(401);
  });

  it.each(['/livez', '/readyz', '/metrics', '/docs', '/docs-json'])('reads %s all the same', async (path) => {
    for (const method of ['GET', 'HEAD'])
      expect((await fetch(`${system.api.baseUrl}${path}`, { method })).status).toBe(200);
  });
});
