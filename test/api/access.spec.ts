import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONSOLE_PATHS } from '#apps/api/src/console/console-paths';
import { ROLES, type Role } from '#libs/contracts';
import { ApiClient } from '#test/support/api-client';
import { operationsOf, printedDocument, type ApiDocument } from '#test/support/api-document';
import { registeredRoutes, type RegisteredRoute } from '#test/support/registered-routes';
import { newKey, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

/** The roles that may call each operation, by the API contract. An operation that is missing here fails the test. */
const ALLOWED_ROLES: Record<string, readonly Role[]> = {
  signIn: ROLES,
  signInByLink: ROLES,
  readOpenIdOffer: ROLES,
  beginOpenIdSignIn: ROLES,
  finishOpenIdSignIn: ROLES,
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
  createSignInLink: ['operator', 'admin'],
  listSignInLinks: ['viewer', 'oncall', 'operator', 'admin'],
  revokeSignInLink: ['operator', 'admin'],
  listUrlRequests: ['viewer', 'oncall', 'operator', 'admin'],
  approveUrlRequest: ['operator', 'admin'],
  rejectUrlRequest: ['operator', 'admin'],
  explainSignature: ['oncall', 'operator', 'admin'],
  // Without a target. Viewers may read the entries of one consumer.
  listAudit: ['admin'],
  pauseSending: ['oncall', 'operator', 'admin'],
  resumeSending: ['oncall', 'operator', 'admin'],
  listTransactions: ['producer', 'viewer', 'oncall', 'operator', 'admin'],
  readTransaction: ['producer', 'viewer', 'oncall', 'operator', 'admin'],
  listNotifications: ['consumer'],
  readEnvelope: ['oncall', 'operator', 'admin'],
  search: ['producer', 'viewer', 'oncall', 'operator', 'admin'],
  reportConsumers: ['viewer', 'oncall', 'operator', 'admin'],
  readQueue: ['viewer', 'oncall', 'operator', 'admin'],
  readStats: ['viewer', 'oncall', 'operator', 'admin'],
  listIssues: ['viewer', 'oncall', 'operator', 'admin'],
  readIssue: ['viewer', 'oncall', 'operator', 'admin'],
  acknowledgeIssue: ['oncall', 'operator', 'admin'],
  resolveIssue: ['oncall', 'operator', 'admin'],
  listChannels: ['viewer', 'oncall', 'operator', 'admin'],
  readChannel: ['viewer', 'oncall', 'operator', 'admin'],
  createChannel: ['operator', 'admin'],
  changeChannel: ['operator', 'admin'],
  removeChannel: ['operator', 'admin'],
  testChannel: ['operator', 'admin'],
};
/** The operations that need no authentication: the sign-in. */
const UNAUTHENTICATED = [
  'signIn',
  'signInByLink',
  'readOpenIdOffer',
  'beginOpenIdSignIn',
  'finishOpenIdSignIn',
];

/** The roles that may call undocumented routes, by the beginning of the path. */
const UNDOCUMENTED: readonly (readonly [path: RegExp, roles: readonly Role[] | 'anybody'])[] = [
  [/^\/(livez|readyz|metrics)$/, 'anybody'],
  [/^\/docs(\/|$)/, 'anybody'],
  [/^\/docs-(json|yaml)$/, 'anybody'],
  // The console's page and files are the same for every visitor, and show no data without the API.
  [new RegExp(`^/((${CONSOLE_PATHS.join('|')})(/\\*)?)?$`), 'anybody'],
  [/^\/assets\//, 'anybody'],
];

let system: System;
let document: ApiDocument;
let routes: RegisteredRoute[];
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
  [system, document] = await Promise.all([System.shared(0), printedDocument()]);
  routes = await registeredRoutes({
    DATABASE_URL: system.databaseUrl,
    REDIS_URL: process.env['TEST_REDIS_URL'],
    ADMIN_API_KEY: system.adminKey,
    SECRETS_KEYRING: newKey('k1'),
  });
  const { id } = await system.client.registerConsumer({
    name: 'Acme',
    url: 'https://consumer.example/hook',
    eventTypes: ['ach.status'],
    allPayments: true,
    credentials: { username: 'bank', password: 'secret' },
  });
  const bound = await system.client.call<{ key: string }>('POST', `/v1/consumers/${id}/keys`, {
    name: 'bound',
  });
  for (const role of ROLES)
    clients.set(
      role,
      clientOf(role === 'consumer' ? bound.body.key : (await keyOf(`a ${role}`, [role])).key),
    );
});
afterAll(() => system.stop());

/** The roles that may call a route. A documented route is found by its operation. */
function allowedOf({ method, path }: RegisteredRoute): readonly Role[] | 'anybody' | undefined {
  // For the consumer's own people only: no other role includes `consumer`, and no route of the portal admits another one.
  if (/^\/v1\/portal(\/|$)/.test(path)) return ['consumer'];
  const asked = method === 'HEAD' ? 'GET' : method;
  const operation = document.paths[path]?.[asked.toLowerCase()];
  if (operation !== undefined)
    return UNAUTHENTICATED.includes(operation.operationId) ? 'anybody' : ALLOWED_ROLES[operation.operationId];
  return UNDOCUMENTED.find(([pattern]) => pattern.test(path))?.[1];
}

/** A call of the route that finds nothing if it is authorized. */
const callOf = ({
  method,
  path,
}: RegisteredRoute): [method: string, url: string, body: object | undefined] => [
  method,
  path.replaceAll(/\{\w+\}|\*/g, '0199c2f2-7b5e-7c3a-8f00-000000000000'),
  ['GET', 'HEAD', 'DELETE'].includes(method) ? undefined : {},
];

describe('routes', () => {
  it('the server has exactly the documented routes and the listed undocumented ones', () => {
    const spelled = ({ method, path }: RegisteredRoute): string => `${method} ${path}`;
    const documented = operationsOf(document).map(spelled);
    const registered = routes.map(spelled);
    expect(documented.filter((route) => !registered.includes(route))).toEqual([]);
    expect(routes.filter((route) => allowedOf(route) === undefined).map(spelled)).toEqual([]);
    expect(registered.length).toBeGreaterThan(2 * documented.length);
  });

  it('every route refuses a missing key, a wrong key and roles that it does not allow', async () => {
    const invalidAuthorizations = [undefined, 'Bearer', 'Bearer wrong', 'Basic d3Jvbmc6'];
    const faults: unknown[] = [];
    for (const route of routes) {
      const allowed = allowedOf(route) ?? [];
      const [method, url, body] = callOf(route);
      const withUnknownKey = async (authorization: string | undefined): Promise<void> => {
        const headers = authorization === undefined ? {} : { authorization };
        const { status } = await fetch(`${system.api.baseUrl}${url}`, { method, headers });
        if ((status === 401) !== (allowed !== 'anybody')) faults.push([route, authorization, status]);
      };
      const asRole = async ([role, client]: [Role, ApiClient]): Promise<void> => {
        const { status } = await client.call(method, url, body);
        const isAllowed = allowed === 'anybody' || allowed.includes(role);
        if ((status === 403) === isAllowed || status === 401) faults.push([route, role, status]);
      };
      await Promise.all([...invalidAuthorizations.map(withUnknownKey), ...[...clients].map(asRole)]);
    }
    expect(faults).toEqual([]);
  });
});

describe('API key', () => {
  it('an API key is shown once, and identifies its holder', async () => {
    const { id, key } = await keyOf('hub', ['producer', 'viewer']);
    const me = await clientOf(key).call('GET', '/v1/me');
    expect(me.body).toEqual({
      name: 'hub',
      person: null,
      roles: ['producer', 'viewer'],
      may: ['producer', 'viewer'],
      consumerId: null,
      consumerName: null,
      environment: null,
    });
    const list = await system.client.call<{ apiKeys: object[] }>('GET', '/v1/api-keys?limit=1000');
    expect(list.body.apiKeys).toContainEqual(expect.objectContaining({ id, name: 'hub' }));
    expect(JSON.stringify(list.body)).not.toContain(key);
  });

  it('an API key is refused within seconds of its revocation, and as soon as it expires', async () => {
    const revoked = await keyOf('leaver', ['viewer']);
    const expiring = await keyOf('guest', ['viewer'], new Date(Date.now() + 4_000).toISOString());
    expect((await clientOf(revoked.key).call('GET', '/v1/me')).status).toBe(200);
    expect((await clientOf(expiring.key).call('GET', '/v1/me')).status).toBe(200);
    await fetch(`${system.api.baseUrl}/v1/api-keys/${revoked.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${system.adminKey}` },
    });
    for (const { key } of [revoked, expiring]) {
      await waitUntil(async () => (await clientOf(key).call('GET', '/v1/me')).status === 401, {
        what: 'the key to be refused',
        everyMs: 100,
      });
    }
  });

  it('POST /v1/api-keys refuses the role consumer, a missing name and missing roles', async () => {
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

describe('name of the first key', () => {
  it('the first key’s name is refused for other keys, so that the audit log can distinguish them', async () => {
    const named = (name: string) =>
      system.client.call<{ errors: object[] }>('POST', '/v1/api-keys', { name, roles: ['viewer'] });
    const { status, body } = await named('admin');
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      {
        field: 'name',
        message: expect.stringContaining('must not be one of "admin", "dispatcher", "system"'),
      },
    ]);
    expect((await named('openid:anna')).status).toBe(422);
    expect((await named('administrator')).status).toBe(201);
    expect((await named('the admin')).status).toBe(201);
  });
});
