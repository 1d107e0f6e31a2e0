import type { AuditListDto } from '#apps/api/src/resources/audit/audit.dto';
import type { BulkActionDto } from '#apps/api/src/resources/bulk-actions/bulk-action.dto';
import type { DeliveryDto, DeliveryListDto } from '#apps/api/src/resources/deliveries/delivery.dto';
import type { EventListDto } from '#apps/api/src/resources/events/event.dto';
import type { PaymentDetailDto, PaymentListDto } from '#apps/api/src/resources/payments/payment.dto';
import { beforeAll, expect, it } from 'vitest';
import type { AcceptedDto } from '#libs/contracts';
import { Customer } from '#test/support/customer';
import { portalClient } from '#test/support/portal-client';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const REASON = 'sent by file on 22 Nov';

const system = await System.start({ backend: 'redis' });
let customer: Customer;
let accepted: AcceptedDto;
let deliveryId: string;
beforeAll(async () => {
  customer = await Customer.onboard(system.client, {
    behaviour: () => ({ status: 500 }),
    retrySchedule: [1],
  });
  accepted = await system.client.accept(achChange(customer.company, 'PAY-1', 'RETURN'));
  ({ deliveryId } = await system.client.waitForState(accepted, 'dead'));
});

const get = async <T>(path: string): Promise<T> => (await system.client.call<T>('GET', path)).body;
const listed = async (query: string): Promise<DeliveryDto[]> =>
  (await get<DeliveryListDto>(`/v1/deliveries?consumerId=${customer.consumerId}&${query}`)).deliveries;
const post = <T>(path: string, body: object) => system.client.call<T>('POST', path, body);

/** The recipients in the list of events, in the list of payments and in the payment itself. */
async function recipients() {
  const [event] = (await get<EventListDto>('/v1/events?paymentId=PAY-1')).events;
  const [payment] = (await get<PaymentListDto>('/v1/payments?paymentId=PAY-1')).payments;
  const detail = await get<PaymentDetailDto>('/v1/payments/ach/PAY-1');
  return [event?.recipients, payment?.recipients, detail.recipients];
}

it('a dead delivery is not settled, and is shown as dead with its event and its payment', async () => {
  expect(await listed('settled=false')).toMatchObject([{ deliveryId, status: 'RETURN', settlement: null }]);
  expect(await listed('settled=true')).toEqual([]);
  expect(await listed('delivered=false&status=RETURN')).toHaveLength(1);
  expect(await listed('delivered=true')).toEqual([]);
  expect((await system.client.call('GET', '/v1/deliveries?settled=maybe')).status).toBe(400);
  const dead = {
    total: 1,
    delivered: 0,
    waiting: 0,
    dead: 1,
    settled: 0,
    cancelled: 0,
    named: [
      {
        consumerId: customer.consumerId,
        consumerName: customer.company,
        state: 'dead',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    ],
  };
  expect(await recipients()).toEqual([dead, dead, dead]);
});

it('a bulk action settles a dead delivery; the audit log keeps actor and reason, which its consumer does not see', async () => {
  const order = { action: 'settle', filter: { consumerId: customer.consumerId }, reason: REASON };
  expect(await post('/v1/bulk-actions', { ...order, dryRun: true })).toMatchObject({ body: { matched: 1 } });
  const { body } = await post<BulkActionDto>('/v1/bulk-actions', { ...order, expectedCount: 1 });
  await waitUntil(
    async () => (await get<BulkActionDto>(`/v1/bulk-actions/${body.id}`)).state === 'finished',
    { what: 'the bulk action to finish' },
  );
  const settlement = { at: expect.any(String), by: 'admin', reason: REASON };
  expect(await listed('settled=true')).toMatchObject([{ deliveryId, state: 'dead', settlement }]);
  const people = await portalClient(system, customer.consumerId);
  const { body: own } = await people.call<DeliveryListDto>('GET', '/v1/deliveries?settled=true');
  expect(own.deliveries.map((each) => each.settlement)).toEqual([{ ...settlement, by: null, reason: null }]);
  expect(await listed('settled=false')).toEqual([]);
  expect(await listed('delivered=false')).toEqual([]);
  for (const each of await recipients())
    expect(each).toMatchObject({ dead: 0, settled: 1, named: [{ state: 'settled' }] });
  const { entries } = await get<AuditListDto>(`/v1/audit?target=bulk-action:${body.id}`);
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ['bulk-action.finished', 'dispatcher'],
    ['bulk-action.started', 'admin'],
  ]);
});

it('a settled delivery that is sent again is no longer settled', async () => {
  customer.behave(() => ({}));
  const retried = await post<DeliveryDto>(`/v1/deliveries/${deliveryId}/retry`, { reason: 'they want it' });
  expect(retried.body.settlement).toBeNull();
  await system.client.waitForState(accepted, 'delivered');
  for (const each of await recipients()) expect(each).toMatchObject({ delivered: 1, settled: 0 });
});
