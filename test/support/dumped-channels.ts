import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Dump } from '#test/support/dump';
import type { System } from '#test/support/system';

/** Creates channels, tests and changes them, and makes their secrets known to the dump. */
export async function addChannels({ client, adminKey: key }: System, dump: Dump): Promise<void> {
  const url = `http://127.0.0.1:9/services/${randomBytes(12).toString('hex')}`;
  const routingKey = randomBytes(16).toString('hex');
  dump.plant('the URL of a channel', url);
  dump.plant('a routing key', routingKey);
  for (const secrets of [{ url }, { url, routingKey }]) {
    const kind = 'routingKey' in secrets ? 'pagerduty' : 'webhook';
    // The answer to this request shows the signing secret and is not searched.
    const created = await client.call<{ id: string; signingSecret?: string }>('POST', '/v1/channels', {
      name: kind,
      kind,
      ...secrets,
    });
    expect(created.status).toBe(201);
    if (kind === 'webhook') dump.plant('the secret of a webhook', created.body.signingSecret ?? '');
    const path = `/v1/channels/${created.body.id}`;
    await dump.ask('admin', 'POST', `${path}/test`, { key });
    await dump.ask('admin', 'PATCH', path, { key, body: JSON.stringify(secrets) });
  }
}
