import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

const system = await System.shared(1);
const payment = `<b>${randomUUID()}</b>`;
let customer: Customer;
let deliveryId: string;
let cookie: string;

/** Sends a form as a browser's page does, or reads the page. */
const send = (path: string, form?: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${system.api.baseUrl}/portal/basic${path}`, {
    method: form === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: { origin: system.api.baseUrl, ...(cookie === undefined ? {} : { cookie }), ...headers },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  });
const keyOf = async (): Promise<string> =>
  (
    await system.client.call<{ key: string }>('POST', `/v1/consumers/${customer.consumerId}/keys`, {
      name: 'kim',
    })
  ).body.key;
const linkOf = async (): Promise<string> =>
  (
    await system.client.call<{ url: string }>('POST', `/v1/consumers/${customer.consumerId}/sign-in-links`, {
      name: 'kim',
    })
  ).body.url;

beforeAll(async () => {
  customer = await Customer.onboard(system.client, {
    retrySchedule: [1],
    behaviour: () => ({ status: 503 }),
  });
  const accepted = await system.client.accept(achChange(customer.company, payment));
  ({ deliveryId } = await system.client.waitForState(accepted, 'dead'));
  customer.behave(() => ({}));
});

describe('portal without JavaScript', () => {
  it('a person signs in once with the pasted link, sees what was not delivered, resends it and signs out', async () => {
    expect(await (await send('')).text()).toContain('<label for="secret">');
    const secret = await linkOf();
    const signedIn = await send('/sign-in', { secret });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/portal/basic']);
    expect(signedIn.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
    [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
    expect((await send('/sign-in', { secret })).status).toBe(422);

    const page = await send('');
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; img-src data:; form-action 'self'/,
    );
    expect(html).toContain('Your server answered 503. We stopped trying; resend it.');
    expect(html).toContain(`name="id" value="${deliveryId}"`);
    expect(html).toContain(payment.replaceAll('<', '&#60;').replaceAll('>', '&#62;'));
    expect(html).not.toMatch(/<b>|<script|\b(circuit|held|dead|settled|probe)\b/);

    const resent = await send('/resend', { id: deliveryId });
    expect([resent.status, resent.headers.get('location')]).toEqual([303, '/portal/basic?resent']);
    await customer.waitForAcknowledged([{ notificationId: customer.arrivals[0]?.notificationId ?? '' }]);
    expect(await (await send('')).text()).toContain('Your server has received everything.');

    const reference = await (await fetch(`${system.api.baseUrl}/docs-json`, { headers: { cookie } })).text();
    expect(reference).toContain('/v1/portal/alerts');
    expect(reference).not.toContain('/v1/channels');
    const signedOut = await send('/sign-out', {});
    expect(signedOut.headers.get('set-cookie')).toMatch(/Max-Age=0/);
  });

  it('another site’s page can neither sign a person in nor resend', async () => {
    const origin = 'https://evil.example';
    const foreign = await send('/sign-in', { secret: await keyOf() }, { origin });
    expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null]);
    const resend = await send('/resend', { id: deliveryId }, { origin });
    expect([resend.status, resend.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  });

  it('a key of the bank does not sign in, and an ended session leads to the sign-in', async () => {
    expect((await send('/sign-in', { secret: system.adminKey })).status).toBe(422);
    const ended = await send('/resend', { id: deliveryId }, { cookie: 'dispatcher_session=a.b.c' });
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/portal/basic']);
  });

  it('a form that is too large is refused before it is read, as in the API', async () => {
    const answer = await send('/sign-in', { secret: 'x'.repeat(3_000) });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      413,
      'application/problem+json; charset=utf-8',
    ]);
  });

  it('a delivery of another consumer is unknown', async () => {
    const other = await Customer.onboard(system.client);
    const delivery = await system.client.deliveryOf(
      await system.client.accept(achChange(other.company, randomUUID())),
    );
    for (const id of [delivery.deliveryId, randomUUID(), 'x']) {
      const answer = await send('/resend', { id });
      expect([answer.status, await answer.text()]).toEqual([
        404,
        expect.stringContaining('There is no such delivery.'),
      ]);
    }
  });
});
