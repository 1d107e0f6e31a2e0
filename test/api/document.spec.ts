import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { achExample, wireExample } from '#libs/contracts';
import { UNAUTHENTICATED } from '#test/api/allowed-roles';
import { pathWith, unknownIds } from '#test/api/portal-walk';
import { changed, pathsOf } from '#test/support/altered-json';
import { ApiClient } from '#test/support/api-client';
import { DocumentChecker, operationsOf, printedDocument, type ApiDocument } from '#test/support/api-document';
import { portalClient } from '#test/support/portal-client';
import { System } from '#test/support/system';

let system: System;
let document: ApiDocument;
let checker: DocumentChecker;

beforeAll(async () => {
  [system, document] = await Promise.all([System.shared(0), printedDocument()]);
  checker = new DocumentChecker(document);
});
afterAll(() => system.stop());

const CONSUMER = {
  name: 'Acme',
  url: 'https://consumer.example/hook',
  eventTypes: ['ach.status', 'wire.status'],
  allPayments: true,
  credentials: { username: 'bank', password: 'secret' },
};
const WITHOUT_KEY = new Map([
  ['readOpenIdOffer', ['200']],
  ['beginOpenIdSignIn', ['403']],
  ['readSchema', ['404']],
]);
/** The media types of the operations that can also answer in other formats than JSON. */
const FORMATS = new Map([
  ['readSchema', ['application/schema+json']],
  ['listAudit', ['application/json', 'application/x-ndjson', 'text/csv']],
  ['reportConsumers', ['application/json', 'text/csv']],
]);

/** Names of the schemas that the document refers to and does not have. */
const missingSchemas = (of: ApiDocument): string[] =>
  [...JSON.stringify(of).matchAll(/#\/components\/schemas\/([^"]*)"/g)]
    .map(([, name = '']) => name)
    .filter((name) => of.components.schemas[name] === undefined);

async function faults(
  method: string,
  path: string,
  url: string,
  body?: unknown,
  headers: object = {},
): Promise<string[]> {
  const response = await fetch(`${system.api.baseUrl}${url}`, {
    method,
    headers: {
      authorization: `Bearer ${system.adminKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = {
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
  return checker
    .answerFaults(method, path, answer)
    .map((fault) => `${method} ${url} ${String(response.status)}: ${fault}`);
}

/** Calls of the routes under one consumer. */
const ofConsumer = (
  id: string,
  calls: readonly (readonly [method: string, rest: string, body?: object])[],
): Promise<string[]>[] =>
  calls.map(([method, rest, body]) =>
    faults(method, `/v1/consumers/{id}${rest.split('?')[0] ?? ''}`, `/v1/consumers/${id}${rest}`, body),
  );

describe('API document', () => {
  it('the API document is OpenAPI 3.1, and the printed and the served one are equal', async () => {
    expect(document.openapi).toBe('3.1.0');
    const served = await fetch(`${system.api.baseUrl}/docs-json`);
    expect(await served.json()).toEqual(document);
    expect((await fetch(`${system.api.baseUrl}/docs`)).status).toBe(200);
  });

  it('the API document and the README show no date after 2025, which an earlier clock would refuse as future', async () => {
    const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
    const dates = [...`${JSON.stringify(document)} ${readme}`.matchAll(/\b20\d\d-?[01]\d-?[0-3]\d/g)];
    expect(dates.length).toBeGreaterThan(0);
    expect(dates.map(([date]) => date.slice(0, 4)).filter((year) => year > '2025')).toEqual([]);
  });

  it('a consumer gets the API document with exactly the operations that its key may call', async () => {
    const { id } = await system.client.registerConsumer(CONSUMER);
    const portal = await portalClient(system, id);
    const { body: narrowed } = await portal.call<ApiDocument>('GET', '/docs-json');
    const allowed: string[] = [];
    for (const { method, path, operation } of operationsOf(document)) {
      const given = ['GET', 'DELETE'].includes(method) ? undefined : {};
      const { status } = await portal.call(method, pathWith(path, unknownIds()), given);
      const isSignIn = UNAUTHENTICATED.includes(operation.operationId);
      if (status !== 401 && status !== 403 && !isSignIn) allowed.push(operation.operationId);
    }
    expect(operationsOf(narrowed).map(({ operation }) => operation.operationId)).toEqual(allowed);
    expect(missingSchemas(narrowed)).toEqual([]);
    expect(narrowed.components.schemas).not.toHaveProperty('RegisterConsumerDto');
    expect(narrowed).toHaveProperty('webhooks');
    const refused = await new ApiClient(system.api.baseUrl, 'unknown').call('GET', '/docs-json');
    expect(refused.body).toEqual(document);
  });

  it('every reference in the API document has its schema', () => {
    expect(missingSchemas(document)).toEqual([]);
  });

  it('every operation has an id of its own and a summary', () => {
    const operations = operationsOf(document).map(({ operation }) => operation);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const operation of operations)
      expect(operation).toMatchObject({ summary: expect.stringMatching(/./) });
  });

  it('the API document lists the answers and refusals of every operation with their media types', () => {
    for (const { method, path, operation } of operationsOf(document)) {
      const statuses = Object.keys(operation.responses);
      // These need no key: the sign-in offer is never refused, and a sign-in begins without one.
      const refusals = WITHOUT_KEY.get(operation.operationId) ?? ['401', '403'];
      expect([path, method, statuses]).toEqual([path, method, expect.arrayContaining(refusals)]);
      for (const [status, response] of Object.entries(operation.responses)) {
        const media = Object.keys(response.content ?? {});
        expect([path, method, status, media]).toEqual([
          path,
          method,
          status,
          status === '204'
            ? []
            : Number(status) >= 400
              ? ['application/problem+json']
              : (FORMATS.get(operation.operationId) ?? ['application/json']),
        ]);
      }
    }
  });
});

describe('schemas of credentials', () => {
  it.each([
    ['RegisterConsumerDto', (secret: string) => ({ ...CONSUMER, signingSecret: secret })],
    ['AddCredentialsDto', (secret: string) => ({ signingSecret: secret })],
  ])('the schema %s allows 16 to 256 characters in a signing secret', (name, bodyWith) => {
    const holds = checker.schema(name);
    for (const character of ['x', '💶']) {
      const verdicts = [15, 16, 256, 257].map((length) => holds(bodyWith(character.repeat(length))));
      expect(verdicts).toEqual([false, true, true, false]);
    }
  });

  it.each([
    ['CredentialsDto', (username: string) => ({ username, password: 'p' })],
    ['AddCredentialsDto', (username: string) => ({ username })],
  ])('the schema %s allows no colon and no control characters in a user name', (name, bodyWith) => {
    const holds = checker.schema(name);
    for (const username of ['bank', 'bänk 💶', 'a b']) expect(holds(bodyWith(username))).toBe(true);
    for (const username of ['a:b', 'a\nb', '\u0000', '\u007f', 'a\u0085'])
      expect(holds(bodyWith(username))).toBe(false);
  });
});

describe('answers of the API', () => {
  it('answers and problems of the API match the API document', async () => {
    const event = { ...achExample(), consumers: undefined };
    const consumer = await system.client.registerConsumer(CONSUMER);
    const accepted = await system.client.accept(event);
    const delivery = accepted.deliveries[0]?.deliveryId ?? '';
    const all = await Promise.all([
      faults('POST', '/v1/session', '/v1/session', { apiKey: system.adminKey }),
      faults('POST', '/v1/session', '/v1/session', { apiKey: 'wrong' }),
      faults('POST', '/v1/session', '/v1/session', { apiKey: 'x' }, { origin: 'https://evil.example' }),
      faults('DELETE', '/v1/session', '/v1/session'),
      faults('POST', '/v1/events', '/v1/events', wireExample()),
      faults('POST', '/v1/events', '/v1/events', '{'),
      faults('POST', '/v1/events', '/v1/events', 'x', { 'content-type': 'text/plain' }),
      faults('POST', '/v1/events', '/v1/events', `"${'x'.repeat(262_144)}"`),
      faults('POST', '/v1/events', '/v1/events', achExample({ transactionId: 'other' }), {
        'idempotency-key': 'a',
      }),
      faults('POST', '/v1/events/batch', '/v1/events/batch', { events: [wireExample(), {}] }),
      faults('GET', '/v1/events', '/v1/events'),
      faults('GET', '/v1/events', '/v1/events?limit=0'),
      faults('GET', '/v1/events/{notificationId}', `/v1/events/${accepted.notificationId}`),
      faults('GET', '/v1/deliveries', '/v1/deliveries'),
      faults('GET', '/v1/deliveries', '/v1/deliveries?state=lost'),
      faults('GET', '/v1/deliveries/{id}', `/v1/deliveries/${delivery}`),
      faults('POST', '/v1/consumers', '/v1/consumers', {
        ...CONSUMER,
        retrySchedule: [1, 2],
        externalId: 'e-1',
      }),
      faults('POST', '/v1/consumers', '/v1/consumers', { ...CONSUMER, url: 'ftp://x' }),
      faults('GET', '/v1/consumers', '/v1/consumers'),
      faults('GET', '/v1/consumers', '/v1/consumers?offset=-1'),
      faults('GET', '/v1/consumers/{id}', `/v1/consumers/${consumer.id}`),
      faults('PATCH', '/v1/consumers/{id}', `/v1/consumers/${consumer.id}`, { name: 'Acme 2' }),
      faults('PATCH', '/v1/consumers/{id}', `/v1/consumers/${consumer.id}`, { name: null }),
      ...ofConsumer(consumer.id, [
        ['POST', '/credentials', { password: 'another', activateAt: '2100-01-01T00:00:00Z' }],
        ['GET', '/credentials'],
        ['POST', '/test', {}],
        ['POST', '/test', { eventType: 'x' }],
        ['GET', '/failures'],
        ['GET', '/failures?from=x'],
        ['POST', '/keys', { name: 'own key' }],
        ['GET', '/keys'],
        ['POST', '/explain-signature', { body: '{}', timestamp: '1700000000', signature: 'f'.repeat(64) }],
        ['POST', '/explain-signature', { deliveryId: delivery }],
      ]),
      faults(
        'POST',
        '/v1/events/{notificationId}/envelope',
        `/v1/events/${accepted.notificationId}/envelope`,
        {},
      ),
      faults('GET', '/v1/search', `/v1/search?q=${accepted.notificationId}`),
      faults('GET', '/v1/reports/consumers', '/v1/reports/consumers'),
      faults('GET', '/v1/reports/consumers', '/v1/reports/consumers?from=2025-01-01T00:00:00Z'),
      faults('GET', '/v1/audit', '/v1/audit'),
      faults('GET', '/v1/audit', '/v1/audit?after=0'),
      faults('GET', '/v1/audit', '/v1/audit?limit=0'),
      faults('POST', '/v1/api-keys', '/v1/api-keys', { name: 'hub', roles: ['producer'] }),
      faults('POST', '/v1/api-keys', '/v1/api-keys', { name: 'hub', roles: ['king'] }),
      faults('GET', '/v1/api-keys', '/v1/api-keys'),
    ]);
    expect(all.flat()).toEqual([]);
    expect(
      await faults('POST', '/v1/events', '/v1/events', achExample({ transactionId: 'third' }), {
        'idempotency-key': 'a',
      }),
    ).toEqual([]);
    expect(
      await faults('POST', '/v1/consumers', '/v1/consumers', { ...CONSUMER, externalId: 'e-1' }),
    ).toEqual([]);
    const version = '/v1/consumers/{id}/credentials/{version}';
    const credentials = `/v1/consumers/${consumer.id}/credentials`;
    for (const number of [2, 1, 9]) {
      expect(await faults('DELETE', version, `${credentials}/${number}`)).toEqual([]);
      expect(await faults('POST', `${version}/activate`, `${credentials}/${number}/activate`, {})).toEqual(
        [],
      );
    }
    expect(await faults('DELETE', '/v1/consumers/{id}', `/v1/consumers/${consumer.id}`)).toEqual([]);
  });
});

describe('validation of status changes', () => {
  const MUTATIONS: Record<string, (parent: Record<string, unknown>, key: string) => void> = {
    'left out': (parent, key) => delete parent[key],
    null: (parent, key) => (parent[key] = null),
    'a number': (parent, key) => (parent[key] = 7),
    'an empty text': (parent, key) => (parent[key] = ''),
    'a long text': (parent, key) => (parent[key] = 'x'.repeat(300)),
    'an array': (parent, key) => (parent[key] = []),
    'with an unknown field': (parent, key) => (parent[`${key}X`] = 'x'),
  };

  it('the API accepts a status change exactly when it matches its schema', async () => {
    const valid = checker.schema('StatusChangeDto');
    // The schema cannot express the statuses of a wire, because the configuration defines them.
    const beyondTheSchema = (path: readonly string[]): boolean =>
      path.join('.') === 'data.wireEventInfo.status';
    const examples: object[] = [achExample(), wireExample()];
    const cases = examples.flatMap((example) =>
      pathsOf(example)
        .filter((path) => !beyondTheSchema(path))
        .map((path) => ({ example, path })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...cases),
        fc.constantFrom(...Object.entries(MUTATIONS)),
        async ({ example, path }, [, mutate]) => {
          const change = changed(example, path, mutate);
          const answer = await system.client.call('POST', '/v1/events', change);
          expect({ change, status: answer.status }).toEqual({ change, status: valid(change) ? 202 : 422 });
        },
      ),
      { numRuns: 400 },
    );
  });
});
