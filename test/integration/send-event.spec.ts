import { describe, expect, it } from 'vitest';
import { wireExample } from '#libs/contracts';
import {
  DeliveriesRepository,
  EventsRepository,
  pauseConsumer,
  type AuditEntry,
  type NewConsumer,
} from '#libs/database';
import { ConflictException, NotFoundException } from '@nestjs/common';
import { InvalidContentError } from '#apps/api/src/http/invalid-input';
import { SendEvent } from '#apps/api/src/resources/events/send-event';
import { ANN } from '#test/support/actor';
import { stateOf } from '#test/support/recipient';
import { accept, addConsumer, startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { attempt, TestSession } from '#test/support/test-session';

const AUDIT: AuditEntry = {
  actor: 'ann',
  action: 'event.sent',
  target: 'event',
  address: null,
  reason: 'they called',
  details: {},
};

const dispatcher = await startDispatcherInProcess();
let serial = 0;

const sendEvent = dispatcher.app.get(SendEvent, { strict: false });

const unique = (what: string): string => `${what}-${String((serial += 1))}`;

const consumer = (company: string, given: Partial<NewConsumer> = {}): Promise<string> =>
  addConsumer(dispatcher, { wire_company_ids: [company], ...given });

/** Accepts a status of a wire that names this company, or none. @returns its id, its answer, and a repeat of it */
async function wire(paymentId: string, company: string | null, status = 'Review') {
  const change = wireExample({ paymentId, status });
  const { originalWire } = change.data.wireEventInfo;
  if (company === null) delete change.data.wireEventInfo.originalWire;
  else if (originalWire !== undefined) originalWire.originatorInfo.wireCompanyId = company;
  const repeat = () => accept(dispatcher, change);
  const answer = await repeat();
  if (answer.kind !== 'accepted') throw new Error(answer.kind);
  return { id: answer.notificationId, answer, repeat };
}

const send = (notificationId: string, ...consumers: string[]): Promise<string[]> =>
  sendEvent.execute(notificationId, { consumers, reason: 'they called' }, ANN);

const sentTo = async (notificationId: string, name: string): Promise<string> =>
  (await send(notificationId, name))[0] ?? '';

const statusOf = async (id: string): Promise<string | null | undefined> =>
  (await new DeliveriesRepository(dispatcher.reading, dispatcher.db).find(id))?.status;

const deliver = (id: string) => attempt(dispatcher.pipeline, id, { state: 'delivered' });

/** The deliveries of a consumer that are due and not blocked. */
async function due(consumerId: string): Promise<string[]> {
  const session = await TestSession.open(dispatcher.pipeline, consumerId);
  return (await session.fetch()).map(({ id }) => id);
}

const listed = async (unrouted: boolean, paymentId: string): Promise<string[]> => {
  const rows = await dispatcher.app
    .get(EventsRepository, { strict: false })
    .list({ unrouted, paymentId }, { offset: 0, limit: 10 });
  return rows.map((row) => row.id);
};

describe('unrouted event', () => {
  it('an unrouted event sent to a new consumer is listed as routed, and a repeat gets the first answer', async () => {
    const [company, payment] = [unique('WIRE'), unique('payment')];
    const { id, answer, repeat } = await wire(payment, company);
    expect([await listed(true, payment), await listed(false, payment)]).toEqual([[id], []]);
    const acme = await consumer(company, { external_id: unique('ext') });
    const delivery = await sentTo(id, acme);
    expect(await stateOf(dispatcher, delivery)).toBe('queued');
    expect([await listed(true, payment), await listed(false, payment)]).toEqual([[], [id]]);
    await deliver(delivery);
    expect(await stateOf(dispatcher, delivery)).toBe('delivered');
    expect(await repeat()).toEqual({ ...answer, duplicate: true });
  });

  it.each([
    { who: 'no parties, which then gets later ones', parties: [], follows: true },
    // Routing sends a consumer with parties only events that name one of them.
    { who: 'parties, which then gets no later ones', parties: ['SOME-COMPANY'], follows: false },
  ])('an event without a company can be sent to a consumer with $who', async ({ parties, follows }) => {
    const payment = unique('payment');
    const acme = await addConsumer(dispatcher, { wire_company_ids: parties });
    const { id } = await wire(payment, null);
    await deliver(await sentTo(id, acme));
    const { answer } = await wire(payment, null, 'Complete');
    expect(answer.deliveries.map(({ consumerId }) => consumerId)).toEqual(follows ? [acme] : []);
  });

  it('sends unrouted events to the consumers that match them today, once and in the order of the payment', async () => {
    const [company, payment] = [unique('WIRE'), unique('payment')];
    const [first, second] = [await wire(payment, company), await wire(payment, company, 'Complete')];
    const foreign = await wire(unique('payment'), unique('WIRE'));
    const notificationIds = [second.id, foreign.id, first.id];
    const sendAll = (how = {}) =>
      sendEvent.toMatching({ notificationIds, reason: 'registered late', ...how }, ANN);
    expect(await sendAll()).toEqual({ sent: 0, notSent: 3, consumers: [] });
    const acme = await consumer(company);
    const sent = { sent: 2, notSent: 1, consumers: [{ consumerId: acme, events: 2 }] };
    // A dry run sends nothing.
    for (const dryRun of [true, false]) expect(await sendAll({ dryRun })).toEqual(sent);
    const [earlier = ''] = await due(acme);
    expect(await statusOf(earlier)).toBe('Review');
    expect(await sendAll()).toEqual({ sent: 0, notSent: 3, consumers: [] });
    expect(await listed(true, payment)).toEqual([]);
  });

  it('refuses to send an unknown event, or an event to a consumer that is unknown or not a party of it', async () => {
    const other = await consumer(unique('WIRE'));
    const { id } = await wire(unique('payment'), unique('WIRE'));
    const refused = await send(id, other, 'unknown').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidContentError);
    expect(refused).toMatchObject({
      faults: [
        { field: 'consumers[0]', message: "has no party among this payment's companies" },
        { field: 'consumers[1]', message: 'is not a known consumer' },
      ],
    });
    await expect(send('0199c2f2-7b5e-7c3a-8f00-000000000000', other)).rejects.toThrow(NotFoundException);
  });
});

describe('copy of an event', () => {
  it('copies of events keep the order of the payment, even when they are sent in reverse order', async () => {
    const [company, payment] = [unique('WIRE'), unique('payment')];
    const [first, second] = [await wire(payment, company), await wire(payment, company, 'Complete')];
    const acme = await consumer(company);
    const later = await sentTo(second.id, acme);
    const earlier = await sentTo(first.id, acme);
    expect(await statusOf(later)).toBe('Complete');
    expect(await due(acme)).toEqual([earlier]);
    await deliver(earlier);
    expect(await due(acme)).toEqual([later]);
  });

  it('a copy of an event is held while an earlier copy of the payment is pending', async () => {
    const [company, payment] = [unique('WIRE'), unique('payment')];
    const [first, second] = [await wire(payment, company), await wire(payment, company, 'Complete')];
    const acme = await consumer(company);
    const earlier = await sentTo(first.id, acme);
    const later = await sentTo(second.id, acme);
    expect(await stateOf(dispatcher, later)).toBe('held:order');
    await deliver(earlier);
    expect(await stateOf(dispatcher, later)).toBe('queued');
  });

  it('refuses a second copy of an event, and makes a single copy for concurrent requests', async () => {
    const company = unique('WIRE');
    const acme = await consumer(company);
    const { id, answer } = await wire(unique('payment'), company);
    await expect(send(id, acme)).rejects.toThrow(acme);
    await deliver(answer.deliveries[0]?.deliveryId ?? '');
    await expect(send(id, acme)).rejects.toThrow(ConflictException);
    const bolt = await consumer(company);
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => send(id, bolt)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { added_delivery_ids: added } = await dispatcher.db
      .selectFrom('events')
      .select('added_delivery_ids')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(added).toEqual(await due(bolt));
  });

  it('a copy of an event for a paused consumer is held', async () => {
    const company = unique('WIRE');
    const { id } = await wire(unique('payment'), company);
    const acme = await consumer(company);
    await pauseConsumer(dispatcher.db, acme, 'maintenance', AUDIT);
    expect(await stateOf(dispatcher, await sentTo(id, acme))).toBe('held:paused');
  });
});
