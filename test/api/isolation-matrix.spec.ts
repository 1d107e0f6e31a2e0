import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKeyCreatedDto } from '#apps/api/src/access/api-key.dto';
import type { DeliveryListDto } from '#apps/api/src/resources/deliveries/delivery.dto';
import { achExample, ROLES, type AcceptedDto, type Role } from '#libs/contracts';
import { MADE, pathWith, unknownIds, walk, WALK, type Ids, type Side } from '#test/api/portal-walk';
import { ALLOWED_ROLES, UNAUTHENTICATED, UNDOCUMENTED } from '#test/api/allowed-roles';
import { ApiClient } from '#test/support/api-client';
import { DocumentChecker, operationsOf, printedDocument, type ApiDocument } from '#test/support/api-document';
import { Customer } from '#test/support/customer';
import { portalClient } from '#test/support/portal-client';
import { registeredRoutes, type RegisteredRoute } from '#test/support/registered-routes';
import { achChange } from '#test/support/status-changes';
import { newKey, System } from '#test/support/system';

/** Texts of the bank's people. No portal may show one of them. */
const BANK = {
  producer: 'payments-hub-of-the-bank',
  operator: 'olga-of-the-bank',
  reason: 'an internal reason of the bank',
  notes: 'internal notes of the bank',
  contact: 'contact-at-bank@bank.example',
};
const TRACE = achExample().data.achEventInfo.traceNumber ?? '';
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

let system: System;
let document: ApiDocument;
let checker: DocumentChecker;
let routes: RegisteredRoute[];
/** Whether a consumer's own people may call an operation, besides the sign-in. */
const isTheirs = ({ operation: { operationId } }: { operation: { operationId: string } }): boolean =>
  ALLOWED_ROLES.get(operationId)?.includes('consumer') === true &&
  !['signOut', 'me', ...UNAUTHENTICATED].includes(operationId);
const clients = new Map<Role, ApiClient>();
let operator: ApiClient;
let operatorKeyId: string;
let shared: AcceptedDto;
const sharedPayment = randomUUID();
let a: Side;
let b: Side;

async function keyOf(name: string, role: Role): Promise<{ id: string; client: ApiClient }> {
  const { body } = await system.client.call<ApiKeyCreatedDto>('POST', '/v1/api-keys', {
    name,
    roles: [role],
  });
  return { id: body.id, client: new ApiClient(system.api.baseUrl, body.key) };
}
const onboard = (name: string): Promise<Customer> =>
  Customer.onboard(system.client, {
    name: `${name} ${randomUUID()}`,
    allPayments: true,
    achCompanyIds: [],
    wireCompanyIds: [],
    notes: BANK.notes,
    contact: BANK.contact,
  });

beforeAll(async () => {
  [system, document] = await Promise.all([System.start({ backend: 'redis', workers: 1 }), printedDocument()]);
  checker = new DocumentChecker(document);
  routes = await registeredRoutes({
    DATABASE_URL: system.databaseUrl,
    REDIS_URL: process.env['TEST_REDIS_URL'],
    ADMIN_API_KEY: system.adminKey,
    SECRETS_KEYRING: newKey('k1'),
  });
  const { client: producer } = await keyOf(BANK.producer, 'producer');
  ({ id: operatorKeyId, client: operator } = await keyOf(BANK.operator, 'operator'));
  const customers = [await onboard('Alpha'), await onboard('Bravo')] as const;
  shared = await producer.accept(achChange('a company', sharedPayment));
  [a, b] = await Promise.all([sideOf(customers[0]), sideOf(customers[1])]);
  for (const role of ROLES)
    clients.set(role, role === 'consumer' ? a.portal : (await keyOf(`a ${role}`, role)).client);
});
afterAll(() => system.stop());

/** A customer that has received the shared payment, with one of everything that has an id. */
async function sideOf(customer: Customer): Promise<Side> {
  const { consumerId } = customer;
  await customer.waitForAcknowledged([shared]);
  const own = shared.deliveries.find((delivery) => delivery.consumerId === consumerId);
  if (own === undefined) throw new Error('the payment was not routed to the customer');
  const link = await system.client.call<{ id: string }>('POST', `/v1/consumers/${consumerId}/sign-in-links`, {
    name: 'a person',
  });
  await system.client.waitForState({ ...shared, deliveries: [own] }, 'delivered');
  const ids = {
    ...unknownIds(),
    consumers: consumerId,
    deliveries: own.deliveryId,
    credentials: '1',
    events: shared.notificationId,
    'sign-in-links': link.body.id,
  };
  const portal = await portalClient(system, consumerId, `person ${randomUUID()}`);
  const side: Side = { customer, portal, ids, sent: [], answers: [] };
  await walk(document, side, (id) => id in MADE && id !== 'addCredentials');
  return side;
}

/** The roles that may call a route. A documented route is found by its operation. */
function allowedOf({ method, path }: RegisteredRoute): readonly Role[] | 'anybody' | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  const operation = document.paths[path]?.[asked.toLowerCase()];
  if (operation !== undefined)
    return UNAUTHENTICATED.includes(operation.operationId)
      ? 'anybody'
      : ALLOWED_ROLES.get(operation.operationId);
  return UNDOCUMENTED.some((pattern) => pattern.test(path)) ? 'anybody' : undefined;
}

describe('routes', () => {
  it('the server has exactly the documented routes and the listed undocumented ones', () => {
    const spelled = ({ method, path }: RegisteredRoute): string => `${method} ${path}`;
    const documented = operationsOf(document).map(spelled);
    const registered = routes.map(spelled);
    expect(documented.filter((route) => !registered.includes(route))).toEqual([]);
    expect(routes.filter((route) => allowedOf(route) === undefined).map(spelled)).toEqual([]);
    expect(registered.length).toBeGreaterThan(2 * documented.length);
  });

  it('every route refuses a missing key, a wrong key and roles that it does not allow, as documented', async () => {
    const invalidAuthorizations = [undefined, 'Bearer', 'Bearer wrong', 'Basic d3Jvbmc6'];
    const faults: unknown[] = [];
    for (const route of routes) {
      const { method, path } = route;
      const allowed = allowedOf(route) ?? [];
      // Found by nobody who is authorized.
      const url = pathWith(path, unknownIds()).replaceAll('*', randomUUID());
      const given = ['GET', 'HEAD', 'DELETE'].includes(method) ? undefined : {};
      const withUnknownKey = async (authorization: string | undefined): Promise<void> => {
        const headers = authorization === undefined ? {} : { authorization };
        const { status } = await fetch(`${system.api.baseUrl}${url}`, { method, headers });
        if ((status === 401) !== (allowed !== 'anybody')) faults.push([route, authorization, status]);
      };
      const asRole = async ([role, client]: [Role, ApiClient]): Promise<void> => {
        const { status, headers, body } = await client.call(method, url, given);
        const isAllowed = allowed === 'anybody' || allowed.includes(role);
        if ((status === 403) === isAllowed || status === 401) faults.push([route, role, status]);
        const isUnknown = status === 404 || (given !== undefined && status === 422);
        if (path.includes('{') && isAllowed && !isUnknown) faults.push([route, role, status, 'not unknown']);
        if (document.paths[path]?.[method.toLowerCase()] === undefined) return;
        const answer = { status, contentType: headers.get('content-type'), body: body ?? undefined };
        faults.push(...checker.answerFaults(method, path, answer));
      };
      await Promise.all([...invalidAuthorizations.map(withUnknownKey), ...[...clients].map(asRole)]);
    }
    expect(faults).toEqual([]);
  });
});

describe('ids of others', () => {
  const withParameters = () => operationsOf(document).filter(({ path }) => path.includes('{'));
  /** Answers to all operations with these ids, without what differs between any two requests. */
  async function answersFor(client: ApiClient, operations: ReturnType<typeof withParameters>, ids: Ids) {
    const answers: [operationId: string, status: number, text: string][] = [];
    for (const { method, path, operation } of operations) {
      const given = ['GET', 'DELETE'].includes(method) ? undefined : {};
      const { status, body } = await client.call(method, pathWith(path, ids), given);
      const text = Object.entries(ids)
        .filter(([, id]) => id.length > 10)
        .reduce((masked, [, id]) => masked.replaceAll(id, '(id)'), JSON.stringify(body))
        .replace(/"requestId":"[^"]*"/, '');
      answers.push([operation.operationId, status, text]);
    }
    return answers;
  }
  const statusesOf = (answers: [string, number, string][]) => new Set(answers.map(([, status]) => status));

  it('ids of another consumer and of operators answer a consumer exactly like unknown ids, and change nothing', async () => {
    // The versions of credentials are numbers: B has one that A does not have.
    b.ids['credentials'] = String(
      (await system.client.addCredentials(b.ids['consumers'] ?? '', { username: 'b' })).version,
    );
    const bulkAction = await operator.call<{ id: string }>('POST', '/v1/bulk-actions', {
      action: 'replay',
      reason: BANK.reason,
      filter: { consumerId: a.customer.consumerId },
    });
    const replays = bulkAction.body.id;
    const theirs = withParameters().filter(isTheirs);
    const before = await system.client.delivery(b.ids['deliveries'] ?? '');
    const unknown = await answersFor(a.portal, theirs, unknownIds());
    expect(statusesOf(unknown)).toEqual(new Set([404]));
    expect(await answersFor(a.portal, theirs, b.ids)).toEqual(unknown);
    const ofOperators = { ...b.ids, replays, keys: operatorKeyId, 'url-requests': a.ids['deliveries'] ?? '' };
    expect(await answersFor(a.portal, theirs, ofOperators)).toEqual(unknown);
    // The versions of another consumer's credentials, below the own consumer.
    const below = theirs.filter(({ path }) => /consumers\/\{id\}.*\{/.test(path));
    const own = { consumers: a.customer.consumerId };
    const unknownBelow = await answersFor(a.portal, below, { ...unknownIds(), ...own });
    expect(statusesOf(unknownBelow)).toEqual(new Set([404]));
    expect(await answersFor(a.portal, below, { ...b.ids, ...own })).toEqual(unknownBelow);

    expect(await system.client.delivery(b.ids['deliveries'] ?? '')).toEqual(before);
    const readByB = async (path: string): Promise<string> =>
      JSON.stringify((await b.portal.call('GET', `/v1/portal/${path}`)).body);
    expect(await readByB('url-requests')).toContain('"state":"waiting"');
    expect(JSON.parse(await readByB('keys'))).toMatchObject({
      keys: expect.arrayContaining([expect.objectContaining({ id: b.ids['keys'], revokedAt: null })]),
    });
    expect(await readByB(`replays/${b.ids['replays'] ?? ''}`)).not.toContain('"state":"stopped"');
    const { body } = await operator.call<{ state: string }>('GET', `/v1/bulk-actions/${replays}`);
    expect(body.state).not.toBe('stopped');
    // The own ids are found, so that each call would have found another consumer's.
    expect([...statusesOf(await answersFor(a.portal, theirs, a.ids))]).not.toContain(404);
  });

  it('a consumer that asks for another consumer’s deliveries gets the empty list, as for an unknown one', async () => {
    const listed = async (query: string) =>
      (await a.portal.call<DeliveryListDto>('GET', `/v1/deliveries?${query}`)).body;
    const foreign = await listed(`consumerId=${b.customer.consumerId}`);
    expect(foreign).toEqual(await listed(`consumerId=${randomUUID()}`));
    expect(foreign.deliveries).toEqual([]);
    // A reference of a payment that both have received finds the own delivery only.
    for (const own of [`consumerId=${a.customer.consumerId}`, `reference=${TRACE}`])
      expect((await listed(own)).deliveries).toMatchObject([{ deliveryId: a.ids['deliveries'] }]);
  });

  it('a consumer gets 403 from every other route, with its own ids as with any others', async () => {
    const others = withParameters().filter(
      (each) => !isTheirs(each) && !UNAUTHENTICATED.includes(each.operation.operationId),
    );
    const unknown = await answersFor(a.portal, others, unknownIds());
    expect(statusesOf(unknown)).toEqual(new Set([403]));
    for (const ids of [a.ids, b.ids])
      expect(await answersFor(a.portal, others, { ...unknownIds(), ...ids })).toEqual(unknown);
  });

  it('an id below another consumer’s path is unknown to operators too', async () => {
    const nested = withParameters().filter(({ path }) => /consumers\/\{id\}.*\{/.test(path));
    const below = { ...unknownIds(), consumers: a.ids['consumers'] ?? '' };
    const unknown = await answersFor(operator, nested, below);
    expect(statusesOf(unknown)).toEqual(new Set([404]));
    const { keys = '', 'sign-in-links': links = '' } = b.ids;
    expect(await answersFor(operator, nested, { ...below, keys, 'sign-in-links': links })).toEqual(unknown);
    expect(await answersFor(operator, nested, { ...below, keys: operatorKeyId })).toEqual(unknown);
  });
});

describe('answers to a consumer’s own people', () => {
  /** What the answers of one portal show of the bank's people and of the other consumer. */
  function leaksOf({ answers }: Side, other: Side): string[] {
    const { consumerId, company, server } = other.customer;
    const common = new Set([shared.notificationId, sharedPayment]);
    const texts = [...other.sent, ...other.answers.map(({ text }) => text)];
    const ids = texts.flatMap((text) => text.match(UUID) ?? []).filter((id) => !common.has(id));
    const foreign = new Set([...Object.values(BANK), operatorKeyId, consumerId, company, server.url, ...ids]);
    return answers.flatMap(({ operationId, text }) =>
      [...foreign].filter((part) => text.includes(part)).map((part) => `${operationId} shows ${part}`),
    );
  }

  /** The bank's people act upon a consumer. */
  async function interveneFor({ customer, ids }: Side): Promise<void> {
    const of = `/v1/consumers/${customer.consumerId}`;
    const { reason } = BANK;
    for (const [path, body] of [
      [`/v1/deliveries/${ids['deliveries'] ?? ''}/retry`, { reason, force: true }],
      [`${of}/pause`, { reason }],
      [`${of}/sign-in-links`, { name: 'a person' }],
      [`${of}/credentials`, { generateSecret: true }],
      ['/v1/bulk-actions', { action: 'replay', reason, filter: { consumerId: customer.consumerId } }],
    ] as const)
      expect([path, (await operator.call('POST', path, body)).status < 300]).toEqual([path, true]);
  }

  it('no answer to a consumer’s own people contains texts of the bank’s people or of another consumer', async () => {
    const documented = operationsOf(document).filter(isTheirs);
    expect([...new Set(WALK.map(([operationId]) => operationId))].toSorted()).toEqual(
      documented.map(({ operation }) => operation.operationId).toSorted(),
    );
    for (const side of [a, b]) {
      await walk(document, side, (operationId) => operationId === 'withdrawPortalUrlRequest');
      side.answers.length = 0;
      await walk(document, side);
      // The worker can have finished the replay, which then cannot be stopped.
      const failed = side.answers.filter(
        ({ operationId, status }) => status >= 300 && operationId !== 'stopPortalReplay',
      );
      expect(failed).toEqual([]);
    }
    await operator.call('POST', '/v1/sending/pause', { reason: BANK.reason });
    await Promise.all([interveneFor(a), interveneFor(b)]);
    await walk(document, a);
    await walk(document, b);
    expect(a.answers.findLast(({ operationId }) => operationId === 'readPortal')?.text).toMatch(
      /"isSendingPaused":true/,
    );
    // Each portal shows its own ids, so that a leak would be found.
    expect(leaksOf(a, a).length).toBeGreaterThan(10);
    expect(leaksOf(a, b)).toEqual([]);
    expect(leaksOf(b, a)).toEqual([]);
  });
});
