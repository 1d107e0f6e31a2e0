import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireExample } from '#libs/contracts';
import { Link } from '#test/chaos/link';
import { DocumentChecker, operationsOf, printedDocument, type ApiDocument } from '#test/support/api-document';
import { System } from '#test/support/system';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';

const UNKNOWN_ID = '0199c2f2-7b5e-7c3a-8f00-000000000000';
/** The longest time in which the api answers while PostgreSQL does not: 20 s for a statement, 3 s for a connection. */
const ANSWERS_WITHIN_MS = 60_000;

let database: TestDatabase;
let link: Link;
let system: System;
let document: ApiDocument;
let checker: DocumentChecker;
/** The first admin’s key is not among them: it is known without PostgreSQL. */
let keys: { readonly consumer: string; readonly operator: string };
/** Ids that exist, by the part of the path before the parameter. */
let known: ReadonlyMap<string, string>;

beforeAll(async () => {
  [database, document] = await Promise.all([createTestDatabase(), printedDocument()]);
  checker = new DocumentChecker(document);
  const url = new URL(database.url);
  link = await Link.open(Number(url.port));
  url.host = `127.0.0.1:${String(link.port)}`;
  system = await System.start({ backend: 'redis', workers: 0, databaseUrl: url.href });
  const { id } = await system.client.registerConsumer({
    name: 'Acme',
    url: 'http://127.0.0.1:9/hook',
    eventTypes: ['wire.status'],
    allPayments: true,
    credentials: { username: 'bank', password: 'secret' },
  });
  const accepted = await system.client.accept(wireExample());
  const keyFrom = async (path: string, body: object): Promise<string> =>
    (await system.client.call<{ key: string }>('POST', path, body)).body.key;
  keys = {
    consumer: await keyFrom(`/v1/consumers/${id}/keys`, { name: 'treasury' }),
    operator: await keyFrom('/v1/api-keys', { name: 'desk', roles: ['admin', 'producer'] }),
  };
  known = new Map([
    ['consumers', id],
    ['events', accepted.notificationId],
    ['deliveries', accepted.deliveries[0]?.deliveryId ?? ''],
  ]);
});
afterAll(async () => {
  await system.stop();
  await link.close();
  await database.drop();
});

type Called = ReturnType<typeof operationsOf>[number];

/** The path of an operation, with this text or a known id for each parameter. */
const pathWith = ({ path }: Called, given?: string): string =>
  path.replaceAll(
    /(\w[\w-]*)\/\{\w+\}/g,
    (_, kind: string) => `${kind}/${given ?? known.get(kind) ?? UNKNOWN_ID}`,
  );

const keyFor = ({ path }: Called): string =>
  path.startsWith('/v1/portal') || path === '/v1/notifications' ? keys.consumer : keys.operator;

/** Calls an operation with a body, or without one. */
async function call(called: Called, body?: unknown) {
  const answer = await fetch(`${system.api.baseUrl}${pathWith(called)}`, {
    method: called.method,
    headers: {
      authorization: `Bearer ${keyFor(called)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
  });
  const text = await answer.text();
  const contentType = answer.headers.get('content-type');
  const isJson = contentType?.includes('json') === true && text !== '';
  return { status: answer.status, contentType, body: isJson ? (JSON.parse(text) as unknown) : undefined };
}

/** The answer to a URL that `fetch` would change. */
function answerTo(
  method: string,
  path: string,
  { more = {}, body }: { readonly more?: Readonly<Record<string, string>>; readonly body?: Buffer } = {},
): Promise<{ status: number; contentType: string | null; body: unknown }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': body.length };
    const headers = { authorization: `Bearer ${keys.operator}`, ...length, ...more };
    const request = httpRequest(
      { host: '127.0.0.1', port: system.api.port, method, path, headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => {
          const contentType = response.headers['content-type'] ?? null;
          resolve({ status: response.statusCode ?? 0, contentType, body: JSON.parse(text) as unknown });
        });
      },
    );
    request.on('error', reject).end(body);
  });
}

const exampleOf = ({ operation }: Called): unknown => {
  const { example, examples = {} } = operation.requestBody?.content['application/json'] ?? {};
  return example ?? Object.values(examples)[0]?.value;
};

describe('statuses of the API document', () => {
  it.each([
    [414, 'x'.repeat(400), ''],
    [400, '%zz', ''],
  ])('every operation whose path has a parameter documents %i for an invalid one', async (status, given) => {
    const faults: string[] = [];
    for (const called of operationsOf(document).filter(({ path }) => path.includes('{'))) {
      const answer = await answerTo(called.method, pathWith(called, given));
      expect([called.path, answer.status]).toEqual([called.path, status]);
      faults.push(...checker.answerFaults(called.method, called.path, answer));
    }
    expect(faults).toEqual([]);
  });

  it('every operation documents 431 for a URL that is too large', async () => {
    const faults: string[] = [];
    for (const called of operationsOf(document)) {
      const answer = await answerTo(called.method, `${pathWith(called)}?q=${'x'.repeat(20_000)}`);
      expect([called.path, answer.status]).toEqual([called.path, 431]);
      faults.push(...checker.answerFaults(called.method, called.path, answer));
    }
    expect(faults).toEqual([]);
  });

  it.each([
    [415, { more: { 'content-encoding': 'gzip' } }],
    [413, { body: Buffer.alloc(5 * 1024 * 1024 + 1, ' ') }],
  ])('every operation documents %i for a body that is refused before it is read', async (status, given) => {
    const faults: string[] = [];
    for (const called of operationsOf(document)) {
      const answer = await answerTo(called.method, pathWith(called), given);
      expect([called.path, answer.status]).toEqual([called.path, status]);
      faults.push(...checker.answerFaults(called.method, called.path, answer));
    }
    expect(faults).toEqual([]);
  });

  it('a request without a body is refused exactly where the API document requires a body', async () => {
    const requires: string[] = [];
    const refuses: string[] = [];
    for (const called of operationsOf(document)) {
      if (called.operation.requestBody === undefined) continue;
      const name = `${called.method} ${called.path}`;
      if (called.operation.requestBody.required === true) requires.push(name);
      if ((await call(called)).status === 422) refuses.push(name);
    }
    expect(requires).toEqual(refuses);
  });

  it('lists that PostgreSQL does not answer get 503 with Retry-After, and no advice to narrow the filter', async () => {
    const lists = ['/v1/deliveries', '/v1/events', '/v1/payments'];
    // Some list then has an open connection, and the others need one.
    expect((await system.client.call('GET', '/v1/deliveries')).status).toBe(200);
    link.set({ kind: 'blackhole' });
    const answers = await Promise.all(
      lists.map((path) =>
        system.client.call<{ detail: string }>('GET', path, undefined, { deadlineMs: ANSWERS_WITHIN_MS }),
      ),
    );
    expect(
      answers.map(({ status, headers, body }) => [status, headers.get('retry-after'), body.detail]),
    ).toEqual(lists.map(() => [503, '2', expect.stringContaining('The database is unreachable')]));
  });

  it('every operation documents its answer while PostgreSQL is unreachable', async () => {
    await link.close();
    const faults: string[] = [];
    for (const called of operationsOf(document))
      faults.push(...checker.answerFaults(called.method, called.path, await call(called, exampleOf(called))));
    expect(faults).toEqual([]);
  });
});
