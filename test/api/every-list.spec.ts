import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import { ApiClient } from '#test/support/api-client';
import { operationsOf, printedDocument, type ApiDocument, type Operation } from '#test/support/api-document';
import { Customer } from '#test/support/customer';
import { System } from '#test/support/system';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: {
    readonly type?: string;
    readonly enum?: readonly string[];
    readonly format?: string;
    readonly minimum?: number;
    readonly maximum?: number;
  };
}
interface DocumentedList extends Operation {
  readonly parameters?: readonly Parameter[];
}

let system: System;
let consumerId: string;
let lists: { path: string; operation: DocumentedList }[];
let ofConsumer: ApiClient;

beforeAll(async () => {
  let document: ApiDocument;
  [system, document] = await Promise.all([System.start({ backend: 'redis' }), printedDocument()]);
  lists = operationsOf(document).filter(({ method }) => method === 'GET');
  const customer = await Customer.onboard(system.client, { allPayments: true });
  ({ consumerId } = customer);
  const key = await system.client.call<{ key: string }>('POST', `/v1/consumers/${consumerId}/keys`, {
    name: 'own key',
  });
  ofConsumer = new ApiClient(system.api.baseUrl, key.body.key);
  await customer.waitForAcknowledged([
    await system.client.accept(achExample({ transactionId: randomUUID() })),
  ]);
});
afterAll(() => system.stop());

/** A call of a list, with the key that may make it. */
const call = (path: string, query: string) =>
  (/^\/v1\/(notifications|portal)/.test(path) ? ofConsumer : system.client).call<Record<string, unknown>>(
    'GET',
    `${path.replace('{id}', consumerId)}?${query}`,
  );

const queryOf = ({ parameters = [] }: DocumentedList): Parameter[] =>
  parameters.filter((parameter) => parameter.in === 'query');

describe('lists', () => {
  it('every list with `from` and `to` is empty when `from` is not before `to`', async () => {
    const ranged = lists.filter(({ operation }) => queryOf(operation).some(({ name }) => name === 'from'));
    expect(ranged.length).toBeGreaterThanOrEqual(7);
    const [early, late] = ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z'];
    for (const { path } of ranged) {
      for (const [from, to] of [
        [late, early],
        [late, late],
      ]) {
        const { status, body } = await call(path, `from=${from}&to=${to}`);
        const list = Object.values(body).find(Array.isArray);
        expect([path, from, to, status, list]).toEqual([path, from, to, 200, []]);
      }
      const { body } = await call(path, `from=${early}&to=${late}`);
      expect([path, Object.values(body).find(Array.isArray)]).not.toEqual([path, undefined]);
    }
  });

  it('every list accepts whole numbers within their documented bounds and refuses others', async () => {
    const bounded = lists.flatMap(({ path, operation }) =>
      queryOf(operation)
        .filter(({ schema }) => schema.type === 'integer')
        .map(({ name, schema }) => ({ path, name, schema })),
    );
    expect(bounded.filter(({ name }) => name === 'offset').length).toBeGreaterThanOrEqual(9);
    for (const { path, name, schema } of bounded) {
      const { minimum, maximum } = schema;
      expect({ path, name, minimum, maximum }).toEqual({
        path,
        name,
        minimum: expect.any(Number),
        maximum: expect.any(Number),
      });
      for (const [value, status] of [
        [Number(minimum), 200],
        [Number(maximum), 200],
        [Number(minimum) - 1, 400],
        [Number(maximum) + 1, 400],
      ]) {
        const answer = await call(path, `${name}=${String(value)}`);
        expect([path, name, value, answer.status]).toEqual([path, name, value, status]);
        const faults = status === 400 ? [{ field: name }] : undefined;
        expect([path, name, value, answer.body['errors']]).toMatchObject([path, name, value, faults]);
      }
    }
  });

  it('every list refuses unknown and repeated parameters, and values beyond a documented choice, by their names', async () => {
    for (const { path, operation } of lists.filter((list) => queryOf(list.operation).length > 0)) {
      const wrong = queryOf(operation).flatMap(({ name, schema }) => {
        const isChoice = schema.enum !== undefined || schema.format === 'uuid';
        const values = schema.type === 'integer' ? ['', '1.5', 'x'] : isChoice ? ['none'] : [];
        const repeated = name === 'limit' ? ['1&limit=2'] : [];
        return [...values, ...repeated].map((value) => ({ field: name, query: `${name}=${value}` }));
      });
      for (const { field, query } of [...wrong, { field: 'color', query: 'color=red' }]) {
        const { status, body } = await call(path, query);
        expect([path, query, status]).toEqual([path, query, 400]);
        expect(JSON.stringify(body['errors'])).toContain(`"field":"${field}"`);
      }
    }
  });

  it('every list accepts an instant in the formats of Java’s formatters', async () => {
    for (const { path, operation } of lists) {
      if (!queryOf(operation).some(({ name }) => name === 'from')) continue;
      const range = `from=2025-11-20T09:30Z&to=${encodeURIComponent('2025-11-20t09:31:00.123456789+0000')}`;
      expect([path, (await call(path, range)).status]).toEqual([path, 200]);
      const refused = await call(path, 'from=2025-11-20T09:30:00');
      expect([path, refused.status, refused.body['errors']]).toMatchObject([path, 400, [{ field: 'from' }]]);
    }
  });
});

describe('time range of a bulk action', () => {
  it('a bulk action whose `from` is after its `to` matches nothing', async () => {
    const filter = { from: '2099-01-01T00:00Z', to: '2020-01-01T00:00:00+0100' };
    const { status, body } = await system.client.call('POST', '/v1/bulk-actions', {
      action: 'replay',
      reason: 'an empty range',
      dryRun: true,
      filter,
    });
    expect([status, body]).toMatchObject([200, { matched: 0 }]);
  });

  it('a bulk action shows the instants of its filter in UTC with milliseconds, for any input notation', async () => {
    const filter = { from: '2019-01-01T00:00+01', to: '2019-01-02t00:00:00.1234567z' };
    const { status, body } = await system.client.call('POST', '/v1/bulk-actions', {
      action: 'retry',
      reason: 'a range before all deliveries',
      filter,
    });
    expect([status, body]).toMatchObject([
      202,
      { filter: { from: '2018-12-31T23:00:00.000Z', to: '2019-01-02T00:00:00.123Z' } },
    ]);
  });
});
