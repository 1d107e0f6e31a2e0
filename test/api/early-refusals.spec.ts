import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { System } from '#test/support/system';
import { LONGEST_WAIT_MS, waitUntil } from '#test/support/wait-until';

const system = await System.start({ backend: 'redis', workers: 1, env: { LOG_LEVEL: 'debug' } });

const ACCOUNT = '000123456789';

/** The whole answer of a process to these bytes, until it closes the connection. */
async function answerTo(port: number, bytes: string): Promise<{ head: string; body: string }> {
  const socket = connect(port, '127.0.0.1').setTimeout(LONGEST_WAIT_MS, () => socket.destroy());
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head: head.toLowerCase(), body };
}

const key = (): string => `authorization: Bearer ${system.adminKey}\r\nconnection: close\r\n`;
const JSON_TYPE = 'content-type: application/json\r\n';
const get = (target: string, header = ''): string =>
  `GET ${target} HTTP/1.1\r\nhost: x\r\n${key()}${header}\r\n`;
const post = (target: string, header: string): string =>
  `POST ${target} HTTP/1.1\r\nhost: x\r\n${key()}content-length: 2\r\n${header}\r\n{}`;

it.each([
  ['a URL that is not validly encoded', 400, 400, () => get(`/v1/events/%zz?account=${ACCOUNT}`)],
  ['an unknown URL that is not validly encoded', 400, 400, () => get(`/%ff/${ACCOUNT}`)],
  ['a path whose part is too long', 414, 404, () => get(`/v1/events/${ACCOUNT.repeat(30)}`)],
  ['an unknown route', 404, 404, () => get(`/v1/nothing?account=${ACCOUNT}`)],
  ['an unknown version', 404, 404, () => get(`/v9/events?account=${ACCOUNT}`)],
  ['a route of another method', 404, 404, () => post(`/livez?account=${ACCOUNT}`, '')],
  ['headers that are too large', 431, 431, () => get('/v1/me', `x-long: ${ACCOUNT.repeat(2_000)}\r\n`)],
  ['a URL that is too large', 431, 431, () => get(`/v1/me?account=${ACCOUNT.repeat(2_000)}`)],
  ['an invalid request line', 400, 400, () => `${ACCOUNT} is no request\r\n\r\n`],
  ['an unknown method', 400, 400, () => `STEAL /v1/me?${ACCOUNT} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ['an invalid header', 400, 400, () => get('/v1/me', `account ${ACCOUNT}\r\n`)],
  ['another protocol', 400, 400, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['two body lengths', 400, 400, () => post('/v1/events', 'transfer-encoding: chunked\r\n')],
  ['a missing host', 400, 400, () => `GET /livez HTTP/1.1\r\n${key()}\r\n`],
  ['two hosts', 400, 400, () => get('/livez', 'host: y\r\n')],
  [
    'two hosts on a keep-alive connection',
    400,
    400,
    () => `GET /livez HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n`,
  ],
  ['an Expect header', 417, 417, () => post('/v1/events', `expect: ${ACCOUNT}\r\n`)],
  ['a CONNECT request', 405, 405, () => `CONNECT ${ACCOUNT}.example:443 HTTP/1.1\r\nhost: x\r\n\r\n`],
  ['a body of another type', 415, 404, () => post('/v1/events', `content-type: text/${ACCOUNT}\r\n`)],
  ['a body without a type', 415, 404, () => post('/v1/events', '')],
  ['a compressed body', 415, 404, () => post('/v1/events', `${JSON_TYPE}content-encoding: ${ACCOUNT}\r\n`)],
])(
  '%s gets a problem (api %i, worker %i) that repeats no part of the request',
  async (_what, atApi, atWorker, bytes) => {
    const [worker] = system.workers;
    if (worker === undefined) throw new Error('no worker runs');
    for (const { port, status } of [
      { port: system.api.port, status: atApi },
      { port: worker.port, status: atWorker },
    ]) {
      const { head, body } = await answerTo(port, bytes());
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
      expect(problem).not.toMatchObject({ title: 'Error' });
      for (const header of [
        `x-request-id: ${problem.requestId}`,
        'cache-control: no-store',
        'x-content-type-options: nosniff',
        'x-frame-options: deny',
        'referrer-policy: no-referrer',
        'strict-transport-security: max-age=31536000',
        "content-security-policy: default-src 'none'; frame-ancestors 'none'",
      ])
        expect(head).toContain(`\r\n${header}`);
      expect(head + body).not.toContain(ACCOUNT);
    }
  },
);

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

describe('request without a valid API key', () => {
  it.each([
    ['POST', '/v1/events', {}],
    ['POST', '/v1/events/batch', { authorization: 'Basic d3Jvbmc6' }],
    ['POST', '/v1/events', { authorization: 'Bearer' }],
    ['PATCH', '/v1/consumers/0199c2f2-7b5e-7c3a-8f00-000000000000', { authorization: 'Bearer a b' }],
    ['DELETE', '/v1/consumers/0199c2f2-7b5e-7c3a-8f00-000000000000', {}],
    ['POST', '/v1/nothing', {}],
  ])(
    'a request without an API key is refused before its body is read: %s %s %j',
    async (method, path, headers) => {
      const { status, type, problem } = await answerToUnfinished(method, path, headers);
      expect({ status, type }).toEqual({ status: 401, type: 'application/problem+json; charset=utf-8' });
      expect(problem.detail).toBe('Send an API key: Authorization: Bearer <key>.');
    },
  );

  it.each([
    ['POST', '/v1/events'],
    ['POST', '/v1/events/batch'],
    ['POST', '/v1/nothing'],
  ])('a request with an unknown API key is refused before its body is read: %s %s', async (method, path) => {
    const authorization = `Bearer pnd_${'a'.repeat(43)}`;
    for (const headers of [{}, { 'content-length': '99000000' }, { 'content-encoding': 'gzip' }]) {
      const { status, problem } = await answerToUnfinished(method, path, { authorization, ...headers });
      expect([status, problem.detail]).toEqual([401, 'The API key is unknown, expired or revoked.']);
    }
  });

  it('a request without an API key is refused with 401, independent of its size and type', async () => {
    for (const headers of [{ 'content-length': '99000000' }, { 'content-type': 'text/plain' }])
      expect((await answerToUnfinished('POST', '/v1/events', headers)).status).toBe(401);
  });

  it.each(['/livez', '/readyz', '/metrics', '/docs', '/docs-json'])(
    '%s is readable without an API key',
    async (path) => {
      for (const method of ['GET', 'HEAD'])
        expect((await fetch(`${system.api.baseUrl}${path}`, { method })).status).toBe(200);
    },
  );
});

describe('request body', () => {
  const read = async (body: string): Promise<[number, unknown]> => {
    const headers = { authorization: `Bearer ${system.adminKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${system.api.baseUrl}/v1/events/batch`, { method: 'POST', headers, body });
    const { detail }: { detail: string } = JSON.parse(await answer.text());
    return [answer.status, detail];
  };

  it('a body nested deeper than 64 levels is refused at any size', async () => {
    const deep = `{"events":${'['.repeat(4_000_000)}`;
    expect(await read(deep)).toEqual([400, 'The body is nested deeper than 64 levels.']);
    expect((await read(`{"events":[${'['.repeat(62)}${']'.repeat(62)}]}`))[0]).toBe(202);
  });

  it.each([
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['closes the connection', (socket: Socket) => socket.end()],
  ])(
    'a client that %s in the middle of its body causes a debug line and no internal error',
    async (_how, hangUp) => {
      const before = system.api.output.length;
      const socket = connect(system.api.port, '127.0.0.1').setTimeout(LONGEST_WAIT_MS);
      socket.write(
        `POST /v1/events HTTP/1.1\r\nhost: x\r\n${key()}${JSON_TYPE}content-length: 1000\r\nexpect: 100-continue\r\n\r\n{`,
      );
      // The request is being handled when the server asks for its body.
      await once(socket, 'data');
      hangUp(socket);
      const logged = await waitUntil(
        () => {
          const output = system.api.output.slice(before);
          return output.includes('request.aborted') && output;
        },
        { what: 'the log event request.aborted' },
      );
      expect(logged).not.toMatch(/"level":"?(50|error)|request\.failed/);
      const metrics = await (await fetch(`${system.api.baseUrl}/metrics`)).text();
      expect(metrics).not.toMatch(/^dispatcher_internal_faults_total\{step="request"\} [1-9]/m);
    },
  );
});
