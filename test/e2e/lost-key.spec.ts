import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { BANK, Customer } from '#test/support/customer';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';
import { newKey, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

describe('missing key of a consumer’s credentials', () => {
  const [lost, kept] = [newKey('lost'), newKey('kept')];
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend: 'redis', workers: 0, keyring: lost });
  });
  afterAll(() => system.stop());

  test('holds deliveries without an attempt while the key of the credentials is missing, and sends them afterwards', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client);
    const id = randomUUID();
    const worker = await system.startWorker({ SECRETS_KEYRING: kept });
    const accepted = await client.acceptAll(achSequence(acme.company, id));
    const fault = await waitUntil(async () => (await client.consumer(acme.consumerId)).secretFault, {
      what: 'the consumer to show the fault',
    });
    expect(fault).toContain('"lost"');
    const [first] = accepted;
    if (first === undefined) throw new Error('nothing was accepted');
    expect(await client.waitForState(first, 'held')).toMatchObject({
      holdReason: 'secret',
      attemptCount: 0,
      attempts: [],
    });
    const later = await client.acceptAll(achSequence(acme.company, randomUUID()));
    expect(acme.arrivals).toEqual([]);

    await worker.kill();
    await system.startWorker({ SECRETS_KEYRING: `${kept},${lost}` });
    await acme.waitForAcknowledged([...accepted, ...later]);
    expect(acme.statusesOf(id)).toEqual(ACH_SEQUENCE);
    expect(await client.waitForState(first, 'delivered')).toMatchObject({ attemptCount: 1 });
    expect(await client.consumer(acme.consumerId)).toMatchObject({ secretFault: null });
  });

  test('sends held deliveries with a new credential version when the old key is lost', async () => {
    const acme = await Customer.onboard(system.client);
    const id = randomUUID();
    await Promise.all(system.workers.map((worker) => worker.kill()));
    const accepted = await system.client.acceptAll(achSequence(acme.company, id));
    await system.api.kill();
    await Promise.all([
      system.replaceApi({ SECRETS_KEYRING: kept }),
      system.startWorker({ SECRETS_KEYRING: kept }),
    ]);
    const { client } = system;
    await waitUntil(async () => (await client.consumer(acme.consumerId)).secretFault, {
      what: 'the consumer to show the fault',
    });

    acme.setSecret('whsec_a_new_one_for_acme');
    await client.addCredentials(acme.consumerId, { signingSecret: 'whsec_a_new_one_for_acme', ...BANK });
    expect(await client.consumer(acme.consumerId)).toMatchObject({ secretFault: null });
    await acme.waitForAcknowledged(accepted);
    expect(acme.statusesOf(id)).toEqual(ACH_SEQUENCE);
    expect(new Set(acme.arrivals.map(({ verdict }) => verdict))).toEqual(new Set(['verified']));
  });
});
