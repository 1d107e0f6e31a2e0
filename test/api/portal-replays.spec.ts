import { expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import type {
  ReplayDto,
  ReplayListDto,
  ReplayPreviewDto,
} from '#apps/api/src/resources/bulk-actions/replay.dto';
import type { BulkActionDto } from '#apps/api/src/resources/bulk-actions/bulk-action.dto';
import { ApiClient } from '#test/support/api-client';
import { Customer } from '#test/support/customer';
import { portalClient } from '#test/support/portal-client';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

const FROM = '2020-01-01T00:00:00.000Z';

const system = await System.shared(0);
let customer: Customer;
let portal: ApiClient;
// Without a worker nothing is sent, and replays stay running until they are stopped.

async function newPeople(payments: number): Promise<void> {
  customer = await Customer.onboard(system.client);
  portal = await portalClient(system, customer.consumerId);
  for (let count = 0; count < payments; count += 1)
    await system.client.accept(achChange(customer.company, randomUUID()));
}
const start = <T = ReplayDto>(body: object) =>
  portal.call<T>('POST', '/v1/portal/replays', { from: FROM, ...body });

it('a dry run counts the own deliveries only, and starts nothing', async () => {
  await newPeople(1);
  await newPeople(3);
  for (const scope of ['missed', 'all'])
    expect(await start<ReplayPreviewDto>({ dryRun: true, scope })).toMatchObject({
      status: 200,
      body: { matched: 3 },
    });
  expect((await start({ dryRun: true, to: '2020-01-02T00:00Z' })).body).toEqual({ matched: 0 });
  expect((await portal.call<ReplayListDto>('GET', '/v1/portal/replays')).body.replays).toEqual([]);
});

it('a replay is listed, read and stopped by the consumer’s people, and operators see for whom it runs', async () => {
  await newPeople(2);
  const { status, body } = await start({ reason: 'our outage', expectedCount: 2 });
  expect([status, body]).toMatchObject([
    202,
    { from: FROM, to: null, scope: 'missed', state: 'running', matched: 2, createdBy: 'treasury' },
  ]);
  expect((await portal.call('GET', `/v1/portal/replays/${body.id}`)).body).toEqual(body);
  const operators = await system.client.call<BulkActionDto>('GET', `/v1/bulk-actions/${body.id}`);
  expect(operators.body).toMatchObject({
    startedFor: customer.consumerId,
    filter: { consumerId: customer.consumerId, missed: true },
  });
  const stop = () => portal.call<ReplayDto>('POST', `/v1/portal/replays/${body.id}/stop`, {});
  expect((await stop()).body.state).toBe('stopped');
  expect((await stop()).status).toBe(200);
  expect((await portal.call<ReplayListDto>('GET', '/v1/portal/replays')).body.replays).toMatchObject([
    { id: body.id, state: 'stopped' },
  ]);
});

it('of simultaneous replays of one consumer exactly one starts, and another consumer’s is not affected', async () => {
  await newPeople(1);
  const other = portal;
  await newPeople(1);
  const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await start({})).status));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([202, 409, 409, 409]);
  expect((await other.call('POST', '/v1/portal/replays', { from: FROM })).status).toBe(202);
});
