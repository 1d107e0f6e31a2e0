import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { ApiKeyCreatedDto } from '#apps/api/src/access/api-key.dto';
import type { AcceptedDto, Role } from '#libs/contracts';
import { ApiClient } from '#test/support/api-client';
import { operationsOf, printedDocument } from '#test/support/api-document';
import { Customer } from '#test/support/customer';
import { portalClient } from '#test/support/portal-client';
import { BY_ID, PortalWalk, type OwnIds, type PortalAnswer } from '#test/support/portal-walk';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

/** Texts of the bank's people. No portal may show one of them. */
const BANK = {
  producer: 'payments-hub-of-the-bank',
  operator: 'olga-of-the-bank',
  reason: 'an internal reason of the bank',
  notes: 'internal notes of the bank',
  contact: 'contact-at-bank@bank.example',
};

interface Side {
  readonly customer: Customer;
  readonly portal: ApiClient;
  readonly walk: PortalWalk;
  /** The delivery of the shared payment. */
  readonly delivery: string;
}

let system: System;
let operator: ApiClient;
let operatorKeyId: string;
let shared: AcceptedDto;
const sharedPayment = randomUUID();
let a: Side;
let b: Side;

async function newKey(name: string, role: Role): Promise<{ id: string; client: ApiClient }> {
  const { body } = await system.client.call<ApiKeyCreatedDto>('POST', '/v1/api-keys', {
    name,
    roles: [role],
  });
  return { id: body.id, client: new ApiClient(system.api.baseUrl, body.key) };
}

beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 1 });
  const { client: producer } = await newKey(BANK.producer, 'producer');
  ({ id: operatorKeyId, client: operator } = await newKey(BANK.operator, 'operator'));
  const customers = [await onboard('Alpha'), await onboard('Bravo')] as const;
  shared = await producer.accept(achChange('a company', sharedPayment));
  [a, b] = await Promise.all([sideOf(customers[0]), sideOf(customers[1])]);
});
afterAll(() => system.stop());

const onboard = (name: string): Promise<Customer> =>
  Customer.onboard(system.client, {
    name: `${name} ${randomUUID()}`,
    allPayments: true,
    achCompanyIds: [],
    wireCompanyIds: [],
    notes: BANK.notes,
    contact: BANK.contact,
  });

/** The portal of a customer that has received the shared payment. */
async function sideOf(customer: Customer): Promise<Side> {
  await customer.waitForAcknowledged([shared]);
  const own = shared.deliveries.find(({ consumerId }) => consumerId === customer.consumerId);
  if (own === undefined) throw new Error('the payment was not routed to the customer');
  const portal = await portalClient(system, customer.consumerId, `person ${randomUUID()}`);
  const { deliveryId: delivery } = own;
  await waitUntil(async () => (await system.client.delivery(delivery)).state === 'delivered', {
    what: 'the shared payment to be delivered',
  });
  return { customer, portal, walk: new PortalWalk(portal), delivery };
}

/** The bank's people act upon a consumer. @returns the id of their bulk action */
async function interveneFor({ customer, delivery }: Side): Promise<string> {
  const of = `/v1/consumers/${customer.consumerId}`;
  const { reason } = BANK;
  const call = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await operator.call<{ id: string }>('POST', path, body);
    expect([path, answer.status < 300]).toEqual([path, true]);
    return answer.body;
  };
  await call(`/v1/deliveries/${delivery}/retry`, { reason, force: true });
  await call(`${of}/pause`, { reason });
  await call(`${of}/sign-in-links`, { name: 'a person' });
  await call(`${of}/credentials`, { generateSecret: true });
  const filter = { consumerId: customer.consumerId };
  return (await call('/v1/bulk-actions', { action: 'replay', reason, filter })).id;
}

/** What the answers of one portal show of the bank's people and of the other consumer. */
function leaksOf({ walk }: Side, other: Side): string[] {
  const { consumerId, company, server } = other.customer;
  const common = new Set([shared.notificationId, sharedPayment]);
  const ids = [...other.walk.ids].filter((id) => !common.has(id));
  const foreign = [...Object.values(BANK), operatorKeyId, consumerId, company, server.url, ...ids];
  return walk.answers.flatMap(({ operation, text }) =>
    foreign.filter((part) => text.includes(part)).map((part) => `${operation} shows ${part}`),
  );
}

it('no answer of a consumer’s portal contains texts of the bank’s people or of another consumer', async () => {
  await a.walk.everything(a.delivery);
  const documented = operationsOf(await printedDocument()).filter(({ path }) =>
    path.startsWith('/v1/portal'),
  );
  expect([...new Set(a.walk.answers.map(({ operation }) => operation))].toSorted()).toEqual(
    documented.map(({ operation }) => operation.operationId).toSorted(),
  );
  // The worker can have finished the replay, which then cannot be stopped.
  expect(
    a.walk.answers.filter(({ operation, status }) => status >= 300 && operation !== 'stopPortalReplay'),
  ).toEqual([]);

  await b.walk.everything(b.delivery);
  await operator.call('POST', '/v1/queue/pause', { reason: BANK.reason });
  await Promise.all([interveneFor(a), interveneFor(b)]);
  await a.walk.everything(a.delivery);
  await b.walk.everything(b.delivery);
  expect(a.walk.answers.findLast(({ operation }) => operation === 'readPortal')?.text).toMatch(
    /"isSendingPaused":true/,
  );
  // Each portal shows its own ids, so that a leak would be found.
  expect(leaksOf(a, a).length).toBeGreaterThan(10);
  expect(leaksOf(a, b)).toEqual([]);
  expect(leaksOf(b, a)).toEqual([]);
});

it('ids of another consumer and of operators answer exactly like unknown ids, and change nothing', async () => {
  const bulkAction = (
    await operator.call<{ id: string }>('POST', '/v1/bulk-actions', {
      action: 'replay',
      reason: BANK.reason,
      filter: { consumerId: a.customer.consumerId },
    })
  ).body.id;
  const others = await b.walk.make(b.delivery);
  const before = await system.client.delivery(b.delivery);
  const answersFor = async (ids: OwnIds): Promise<PortalAnswer[]> =>
    (await new PortalWalk(a.portal).byIds(ids)).map(({ operation, status, text }) => ({
      operation,
      status,
      text: Object.values(ids)
        .reduce((masked, id) => masked.replaceAll(id, '(id)'), text)
        .replace(/"requestId":"[^"]*"/, ''),
    }));
  const unknown = await answersFor({
    delivery: randomUUID(),
    key: randomUUID(),
    replay: randomUUID(),
    urlRequest: randomUUID(),
  });
  expect(unknown.map(({ status }) => status)).toEqual(Object.keys(BY_ID).map(() => 404));
  expect(await answersFor(others)).toEqual(unknown);
  expect(
    await answersFor({ ...others, replay: bulkAction, key: operatorKeyId, urlRequest: a.delivery }),
  ).toEqual(unknown);

  expect(await system.client.delivery(b.delivery)).toEqual(before);
  const ofB = async (path: string): Promise<string> =>
    JSON.stringify((await b.portal.call('GET', `/v1/portal/${path}`)).body);
  expect(await ofB('url-requests')).toContain('"state":"waiting"');
  expect(JSON.parse(await ofB('keys'))).toMatchObject({
    keys: expect.arrayContaining([expect.objectContaining({ id: others.key, revokedAt: null })]),
  });
  // The operator's key and bulk action are unchanged too.
  const { state } = (await operator.call<{ state: string }>('GET', `/v1/bulk-actions/${bulkAction}`)).body;
  expect(state).not.toBe('stopped');
});

it('no route of the portal takes the id of a consumer', async () => {
  const document = await printedDocument();
  for (const { path, operation } of operationsOf(document)) {
    if (!path.startsWith('/v1/portal')) continue;
    const parameters = operation.parameters?.map(({ name }) => name) ?? [];
    const schemas = JSON.stringify(operation.requestBody ?? {}).match(/(?<=schemas\/)\w+/g) ?? [];
    const fields = schemas.map((name) => JSON.stringify(document.components.schemas[name]));
    expect([path, [...parameters, ...fields].join(' ')]).toEqual([
      path,
      expect.not.stringMatching(/consumer_?id/i),
    ]);
  }
});
