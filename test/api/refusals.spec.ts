import { describe, expect, it } from 'vitest';
import { achExample, wireExample } from '#libs/contracts';
import { System } from '#test/support/system';
import { registration } from '#test/support/registration';

const system = await System.shared(0);

const KIB = 1_024;

interface Refused {
  status: number;
  problem: {
    status: number;
    title: string;
    detail: string;
    requestId: string;
    errors?: { field: string; message: string }[];
  };
}

/** Sends a body unchanged, and checks that the answer is a problem with the request's id. */
async function refused(
  path: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | undefined,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<Refused> {
  const response = await fetch(`${system.api.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${system.adminKey}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  });
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem: Refused['problem'] = JSON.parse(await response.text());
  expect(problem).toMatchObject({ status: response.status, requestId: response.headers.get('x-request-id') });
  return { status: response.status, problem };
}

/** An event padded to an exact number of bytes with white space. */
const padded = (event: object, bytes: number): string => JSON.stringify(event).padEnd(bytes, ' ');

describe('request bodies', () => {
  it.each([
    ['incomplete JSON', '{"eventType":'],
    ['no content', ''],
    ['a repeated name', '{"eventType":"ach.status","eventType":"wire.status"}'],
    ['invalid UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ])('a body with %s is refused as malformed', async (_what, body) => {
    expect([400, 422]).toContain((await refused('/v1/events', body)).status);
  });

  it.each(['[]', '"text"', '7', 'null'])('a body that is not an object (%s) is refused', async (body) => {
    expect((await refused('/v1/events', body)).problem.errors).toEqual([
      { field: 'body', message: 'must be a JSON object' },
    ]);
  });

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'a body of type %s is refused with 415',
    async (type) => {
      expect((await refused('/v1/events', '{}', { 'content-type': type })).status).toBe(415);
    },
  );

  it('an event may have 256 KiB and a batch 5 MiB; one byte more is refused, also without a content length', async () => {
    const accept = async (path: string, body: string): Promise<number> => {
      const response = await fetch(`${system.api.baseUrl}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${system.adminKey}`, 'content-type': 'application/json' },
        body,
      });
      await response.arrayBuffer();
      return response.status;
    };
    const batch = { events: [wireExample({ paymentId: 'big' })] };
    expect(await accept('/v1/events', padded(achExample(), 256 * KIB))).toBe(202);
    expect(await accept('/v1/events/batch', padded(batch, 5 * KIB * KIB))).toBe(202);
    expect((await refused('/v1/events', padded(achExample(), 256 * KIB + 1))).status).toBe(413);
    expect((await refused('/v1/events/batch', padded(batch, 5 * KIB * KIB + 1))).status).toBe(413);
    const chunked = new Blob([padded(achExample(), 256 * KIB + 1)]).stream();
    expect((await refused('/v1/events', chunked)).status).toBe(413);
  });
});

describe('contents of events', () => {
  it('the refusal of an event lists all its faults by path, and no values', async () => {
    const change = {
      ...achExample(),
      data: {
        achEventInfo: {
          ...achExample().data.achEventInfo,
          status: 'LOST-4711',
          amount: 12.5,
          preNote: 'true',
          debtor: { account: { accountType: 'CHECKING', accountId: null } },
          secretNote: 'account 000123456789',
        },
      },
    };
    const { status, problem } = await refused('/v1/events', JSON.stringify(change));
    expect(status).toBe(422);
    expect(problem.errors?.map((error) => error.field).toSorted()).toEqual(
      ['status', 'amount', 'preNote', 'debtor.account.accountId', 'secretNote']
        .map((f) => `data.achEventInfo.${f}`)
        .toSorted(),
    );
    expect(JSON.stringify(problem)).not.toMatch(/LOST-4711|000123456789/);
  });

  it('an event that names a consumer which must not receive it is refused', async () => {
    const consumer = await system.client.registerConsumer(
      registration({ name: 'Other', achCompanyIds: ['OTHER'] }),
    );
    const { status, problem } = await refused(
      '/v1/events',
      JSON.stringify({ ...achExample(), consumers: ['unknown', consumer.id] }),
    );
    expect(status).toBe(422);
    expect(problem.errors?.map((error) => error.field)).toEqual(['consumers[0]', 'consumers[1]']);
  });

  it('items of a batch are accepted or rejected separately, in the order of the array', async () => {
    const good = (id: string) => ({ ...wireExample({ paymentId: id }), idempotencyKey: id });
    const answer = await system.client.call<{ results: object[] }>('POST', '/v1/events/batch', {
      events: [
        good('b-1'),
        { ...good('b-2'), data: {} },
        good('b-1'),
        { ...good('b-3'), idempotencyKey: 'b-1' },
        null,
        good('b-4'),
      ],
    });
    expect(answer.status).toBe(202);
    expect(answer.body.results).toMatchObject([
      { index: 0, status: 'accepted', duplicate: false },
      { index: 1, status: 'rejected', errors: [{ field: 'data.wireEventInfo' }] },
      { index: 2, status: 'accepted', duplicate: true },
      { index: 3, status: 'rejected', errors: [{ field: 'idempotencyKey' }] },
      { index: 4, status: 'rejected', errors: [{ field: 'body' }] },
      { index: 5, status: 'accepted', duplicate: false },
    ]);
  });

  it('different content under the same idempotency key is a conflict', async () => {
    const key = { 'idempotency-key': 'conflict' };
    await fetch(`${system.api.baseUrl}/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${system.adminKey}`, 'content-type': 'application/json', ...key },
      body: JSON.stringify(achExample({ transactionId: 'c-1' })),
    });
    expect(
      (await refused('/v1/events', JSON.stringify(achExample({ transactionId: 'c-2' })), key)).status,
    ).toBe(409);
    expect(
      (await refused('/v1/events', JSON.stringify(achExample()), { 'idempotency-key': 'x'.repeat(256) }))
        .status,
    ).toBe(400);
  });
});

describe('parameters', () => {
  it('an unknown route or id gets 404', async () => {
    expect((await refused('/v1/nothing', undefined, {}, 'GET')).status).toBe(404);
    expect((await refused('/v1/events/not-an-id', undefined, {}, 'GET')).status).toBe(404);
    expect((await refused('/v2/events', undefined, {}, 'GET')).status).toBe(404);
    expect((await refused('/v1/payments/ach/%00', undefined, {}, 'GET')).status).toBe(404);
  });
});

it('every answer of the api forbids caching', async () => {
  for (const path of ['/v1/me', '/v1/events', '/v1/nothing', '/docs-json']) {
    const { headers } = await system.client.call('GET', path);
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
  }
});

describe('log of the api', () => {
  it('the log of the api holds no account number, secret, header or body of a request', () => {
    const { output } = system.api;
    expect(output).toContain('"event.accepted"');
    for (const secret of [
      system.adminKey,
      '000123456789',
      '000987654321',
      '1234567890123456',
      'DE89370400440532013000',
      'authorization',
      'Acme Corporation',
    ]) {
      expect(output).not.toContain(secret);
    }
  });
});
