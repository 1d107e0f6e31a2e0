import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { achExample, ROLES, type Role } from '#libs/contracts';
import { ApiClient } from '#test/support/api-client';
import { operationsOf, printedDocument, type ApiDocument } from '#test/support/api-document';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

/** Who may call what, as the interface is agreed; a route that is not listed here fails the test. */
const MAY: Record<string, readonly Role[]> = {
  signIn: ROLES,
  signOut: ROLES,
  readStatus: ['producer', 'viewer', 'oncall', 'operator', 'admin'],
  me: ROLES,
  createApiKey: ['admin'],
  listApiKeys: ['admin'],
  revokeApiKey: ['admin'],
  postEvent: ['producer', 'admin'],
  postEventBatch: ['producer', 'admin'],
  listEvents: ['producer', 'viewer', 'oncall', 'operator', 'admin'],
  readEvent: ['producer', 'viewer', 'oncall', 'operator', 'admin'],
  listDeliveries: ['viewer', 'oncall', 'operator', 'admin'],
  readDelivery: ['viewer', 'oncall', 'operator', 'admin'],
  retryDelivery: ['oncall', 'operator', 'admin'],
  cancelDelivery: ['oncall', 'operator', 'admin'],
  sendEvent: ['oncall', 'operator', 'admin'],
  startBulkAction: ['oncall', 'operator', 'admin'],
  listBulkActions: ['viewer', 'oncall', 'operator', 'admin'],
  readBulkAction: ['viewer', 'oncall', 'operator', 'admin'],
  stopBulkAction: ['oncall', 'operator', 'admin'],
  registerConsumer: ['operator', 'admin'],
  listConsumers: ['viewer', 'oncall', 'operator', 'admin'],
  readConsumer: ['viewer', 'oncall', 'operator', 'admin'],
  changeConsumer: ['operator', 'admin'],
  removeConsumer: ['operator', 'admin'],
  pauseConsumer: ['oncall', 'operator', 'admin'],
  resumeConsumer: ['oncall', 'operator', 'admin'],
  addCredentials: ['operator', 'admin'],
  listCredentials: ['viewer', 'oncall', 'operator', 'admin'],
  activateCredentials: ['operator', 'admin'],
  dropCredentials: ['operator', 'admin'],
  testConsumer: ['oncall', 'operator', 'admin'],
  listFailures: ['viewer', 'oncall', 'operator', 'admin'],
  createConsumerKey: ['operator', 'admin'],
  listConsumerKeys: ['viewer', 'oncall', 'operator', 'admin'],
  revokeConsumerKey: ['operator', 'admin'],
  explainSignature: ['oncall', 'operator', 'admin'],
  // Without a target: the entries of one consumer are viewers' too.
  listAudit: ['admin'],
  pauseSending: ['oncall', 'operator', 'admin'],
  resumeSending: ['oncall', 'operator', 'admin'],
  listTransactions: ['producer', 'viewer', 'oncall', 'operator', 'admin'],
  readTransaction: ['producer', 'viewer', 'oncall', 'operator', 'admin'],
  listNotifications: ['consumer'],
  readQueue: ['viewer', 'oncall', 'operator', 'admin'],
  readStats: ['viewer', 'oncall', 'operator', 'admin'],
};
/** What a stranger may call: it is how one gets in. */
const OPEN = ['signIn'];
/** Keys of the role `consumer` are made with the consumer that they are bound to. */
const GRANTED = ROLES.filter((role) => role !== 'consumer');

let system: System;
let document: ApiDocument;
const clients = new Map<Role, ApiClient>();

async function keyOf(
  name: string,
  roles: readonly Role[],
  expiresAt?: string,
): Promise<{ id: string; key: string }> {
  const answer = await system.client.call<{ id: string; key: string }>('POST', '/v1/api-keys', {
    name,
    roles,
    expiresAt,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}
const clientOf = (key: string): ApiClient => new ApiClient(system.api.baseUrl, key);

beforeAll(async () => {
  [system, document] = await Promise.all([System.start({ backend: 'redis', workers: 0 }), printedDocument()]);
  for (const role of GRANTED) clients.set(role, clientOf((await keyOf(`a ${role}`, [role])).key));
}, 60_000);
afterAll(() => system.stop());

describe('every route', () => {
  it('is closed to whoever has no key or a wrong one, and to roles that it is not for', async () => {
    const strangers = [undefined, 'Bearer', 'Bearer wrong', 'Basic d3Jvbmc6'];
    for (const { method, path, operation } of operationsOf(document)) {
      const url = path.replaceAll(/\{\w+\}/g, '0199c2f2-7b5e-7c3a-8f00-000000000000');
      for (const authorization of OPEN.includes(operation.operationId) ? [] : strangers) {
        const headers = authorization === undefined ? {} : { authorization };
        const { status } = await fetch(`${system.api.baseUrl}${url}`, { method, headers });
        expect([operation.operationId, authorization, status]).toEqual([
          operation.operationId,
          authorization,
          401,
        ]);
      }
      const allowed = MAY[operation.operationId] ?? [];
      for (const [role, client] of clients) {
        const { status } = await client.call(
          method,
          url,
          method === 'GET' || method === 'DELETE' ? undefined : {},
        );
        expect([operation.operationId, role, status === 403]).toEqual([
          operation.operationId,
          role,
          !allowed.includes(role),
        ]);
      }
    }
  });
});

describe('a key', () => {
  it('is shown once, and says who its holder is', async () => {
    const { id, key } = await keyOf('hub', ['producer', 'viewer']);
    const me = await clientOf(key).call('GET', '/v1/me');
    expect(me.body).toEqual({
      name: 'hub',
      roles: ['producer', 'viewer'],
      may: ['producer', 'viewer'],
      consumerId: null,
    });
    const list = await system.client.call<{ apiKeys: object[] }>('GET', '/v1/api-keys?limit=1000');
    expect(list.body.apiKeys).toContainEqual(expect.objectContaining({ id, name: 'hub' }));
    expect(JSON.stringify(list.body)).not.toContain(key);
  });

  it('is refused soon after it is revoked, and as soon as it expires', async () => {
    const revoked = await keyOf('leaver', ['viewer']);
    const expiring = await keyOf('guest', ['viewer'], new Date(Date.now() + 1_500).toISOString());
    expect((await clientOf(revoked.key).call('GET', '/v1/me')).status).toBe(200);
    expect((await clientOf(expiring.key).call('GET', '/v1/me')).status).toBe(200);
    await fetch(`${system.api.baseUrl}/v1/api-keys/${revoked.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${system.adminKey}` },
    });
    for (const { key } of [revoked, expiring]) {
      await waitUntil(async () => (await clientOf(key).call('GET', '/v1/me')).status === 401, {
        deadlineMs: 5_000,
        what: 'the key to be refused',
        everyMs: 100,
      });
    }
  });

  it('cannot be made for a consumer here, nor without a name', async () => {
    for (const body of [
      { name: 'x', roles: ['consumer'] },
      { name: '', roles: ['viewer'] },
      { roles: ['viewer'] },
      { name: 'x', roles: [] },
    ]) {
      expect((await system.client.call('POST', '/v1/api-keys', body)).status).toBe(422);
    }
  });
});

describe('the first key’s name', () => {
  it('is nobody else’s: the audit log could not tell them apart', async () => {
    const named = (name: string) =>
      system.client.call<{ errors: object[] }>('POST', '/v1/api-keys', { name, roles: ['viewer'] });
    const { status, body } = await named('admin');
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ field: 'name', message: expect.stringContaining('not "admin"') }]);
    expect((await named('administrator')).status).toBe(201);
    expect((await named('the admin')).status).toBe(201);
  });
});

describe('a producer', () => {
  it('reads back its own events only; viewers read all, with account numbers masked', async () => {
    const [one, other] = await Promise.all([keyOf('one', ['producer']), keyOf('other', ['producer'])]);
    const { notificationId } = await clientOf(one.key).accept(achExample());
    const account = achExample().data.achEventInfo.debtor.account.accountId;
    const read = async (client: ApiClient | undefined) => {
      const answer = await client?.call('GET', `/v1/events/${notificationId}`);
      return { status: answer?.status, showsAccount: JSON.stringify(answer?.body).includes(account) };
    };
    expect(await read(clientOf(one.key))).toEqual({ status: 200, showsAccount: true });
    expect(await read(clientOf(other.key))).toEqual({ status: 404, showsAccount: false });
    expect(await read(clients.get('viewer'))).toEqual({ status: 200, showsAccount: false });
    expect(await read(clients.get('oncall'))).toEqual({ status: 200, showsAccount: true });
    const viewed = await clients.get('viewer')?.call('GET', `/v1/events/${notificationId}`);
    expect(JSON.stringify(viewed?.body)).toContain(`****${account.slice(-4)}`);
    const listed = await clientOf(other.key).events({});
    expect(listed.events).toEqual([]);
  });

  it('keeps its idempotency keys when its API key is replaced by one of the same name', async () => {
    const [before, after] = await Promise.all([
      keyOf('rotating', ['producer']),
      keyOf('rotating', ['producer']),
    ]);
    const change = achExample({ transactionId: 'rotation' });
    const first = await clientOf(before.key).accept(change);
    expect(await clientOf(after.key).accept(change)).toEqual({ ...first, duplicate: true });
  });
});
