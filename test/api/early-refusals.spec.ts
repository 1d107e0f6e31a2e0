import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { System } from '#test/support/system';

let system: System;
beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
}, 60_000);
afterAll(() => system.stop());

const ACCOUNT = '000123456789';

/** Everything that the api answers to these bytes before it closes the connection. */
async function answerTo(bytes: string): Promise<{ head: string; body: string }> {
  const socket = connect(system.api.port, '127.0.0.1').setTimeout(5_000, () => socket.destroy());
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head: head.toLowerCase(), body };
}

const get = (target: string, header = ''): string =>
  `GET ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${system.adminKey}\r\nconnection: close\r\n${header}\r\n`;

it.each([
  ['a URL that is not validly encoded', 400, () => get(`/v1/events/%zz?account=${ACCOUNT}`)],
  ['an unknown URL that is not validly encoded', 400, () => get(`/%ff/${ACCOUNT}`)],
  ['a path whose part is too long', 414, () => get(`/v1/events/${ACCOUNT.repeat(30)}`)],
  ['an unknown route', 404, () => get(`/v1/nothing?account=${ACCOUNT}`)],
  ['an unknown version', 404, () => get(`/v9/events?account=${ACCOUNT}`)],
  ['headers that are too large', 431, () => get('/v1/me', `x-long: ${ACCOUNT.repeat(2_000)}\r\n`)],
  ['a URL that is too large', 431, () => get(`/v1/me?account=${ACCOUNT.repeat(2_000)}`)],
  ['a request line that is none', 400, () => `${ACCOUNT} is no request\r\n\r\n`],
  ['a method that is none', 400, () => `STEAL /v1/events?account=${ACCOUNT} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ['a header that is none', 400, () => get('/v1/me', `account ${ACCOUNT}\r\n`)],
])('%s is a problem (%i) that repeats nothing of it', async (_what, status, bytes) => {
  const { head, body } = await answerTo(bytes());
  expect(head).toMatch(new RegExp(`^http/1.1 ${String(status)} `));
  expect(head).toMatch(/\r\ncontent-type: application\/problem\+json(;|\r|$)/);
  const problem: { requestId: string } = JSON.parse(body);
  expect(problem).toEqual({
    type: 'about:blank',
    title: expect.stringMatching(/^[A-Z]/),
    status,
    detail: expect.stringMatching(/\.$/),
    requestId: expect.any(String),
  });
  expect(head).toContain(`\r\nx-request-id: ${problem.requestId}`);
  expect(head + body).not.toContain(ACCOUNT);
});
