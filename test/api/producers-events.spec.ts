import { describe, expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import { ApiClient } from '#test/support/api-client';
import { System } from '#test/support/system';

const system = await System.shared(0);

const viewer = await system.clientOf(['viewer'], 'a viewer');
const oncall = await system.clientOf(['oncall'], 'an on-call engineer');

describe('events of a producer', () => {
  it('a producer reads back its own events only; viewers read all, with account numbers masked', async () => {
    const [one, other] = await Promise.all([
      system.clientOf(['producer'], 'one'),
      system.clientOf(['producer'], 'other'),
    ]);
    const { notificationId } = await one.accept(achExample());
    const account = achExample().data.achEventInfo.debtor.account.accountId;
    const read = async (client: ApiClient) => {
      const answer = await client.call('GET', `/v1/events/${notificationId}`);
      return { status: answer.status, showsAccount: JSON.stringify(answer.body).includes(account) };
    };
    expect(await read(one)).toEqual({ status: 200, showsAccount: true });
    expect(await read(other)).toEqual({ status: 404, showsAccount: false });
    expect(await read(viewer)).toEqual({ status: 200, showsAccount: false });
    expect(await read(oncall)).toEqual({ status: 200, showsAccount: false });
    const viewed = await viewer.call('GET', `/v1/events/${notificationId}`);
    expect(JSON.stringify(viewed.body)).toContain(`****${account.slice(-4)}`);
    expect(viewed.body).toMatchObject({ masked: true });
    const own = await one.call('GET', `/v1/events/${notificationId}`);
    expect(own.body).toMatchObject({ masked: false });
    const listed = await other.events({});
    expect(listed.events).toEqual([]);
  });

  it('on-call staff read an unmasked envelope, and the audit log keeps the reason', async () => {
    const hub = await system.clientOf(['producer'], 'a hub');
    const { notificationId } = await hub.accept(achExample({ transactionId: 'read in full' }));
    const account = achExample().data.achEventInfo.debtor.account.accountId;
    const path = `/v1/events/${notificationId}/envelope`;
    const { status, body } = await oncall.call('POST', path, { reason: 'the customer asks' });
    expect([status, JSON.stringify(body).includes(account)]).toEqual([200, true]);
    expect((await oncall.call('POST', path, {})).status).toBe(200);
    const unknownPath = path.replace(notificationId, '0199c2f2-7b5e-7c3a-8f00-000000000000');
    expect((await oncall.call('POST', unknownPath, {})).status).toBe(404);
    const audited = await system.client.call(
      'GET',
      `/v1/audit?action=event.envelope-read&target=event:${notificationId}`,
    );
    expect(audited.body).toMatchObject({
      entries: [
        { target: `event:${notificationId}`, reason: null, role: 'oncall' },
        { target: `event:${notificationId}`, reason: 'the customer asks', role: 'oncall' },
      ],
    });
    expect(JSON.stringify((await system.client.call('GET', '/v1/audit')).body)).not.toContain(account);
  });

  it('a producer keeps its idempotency keys when its API key is replaced by one of the same name', async () => {
    const [before, after] = await Promise.all([
      system.clientOf(['producer'], 'rotating'),
      system.clientOf(['producer'], 'rotating'),
    ]);
    const change = achExample({ transactionId: 'rotation' });
    const first = await before.accept(change);
    expect(await after.accept(change)).toEqual({ ...first, duplicate: true });
  });
});
