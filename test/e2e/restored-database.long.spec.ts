import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

describe('database restored from a backup', () => {
  let system: System;
  let admin: URL;
  let name: string;
  beforeAll(async () => {
    system = await System.start({ backend: 'redis', workers: 0 });
    admin = new URL(system.databaseUrl);
    name = admin.pathname.slice(1);
    admin.pathname = '/postgres';
  });
  afterAll(() => system.stop());

  const stopAll = (): Promise<unknown> =>
    Promise.all([system.api, ...system.workers].map((process) => process.kill('SIGKILL')));
  const startAll = (): Promise<unknown> => Promise.all([system.replaceApi(), system.startWorker()]);

  test('deliveries that were pending at the backup are sent again with their ids after the database is restored', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client);
    const changes = Array.from({ length: 3 }, () => achChange(acme.company, randomUUID()));
    const before = await client.acceptAll(changes);
    await stopAll();
    await runSql(admin.href, `create database ${name}_backup template ${name}`);

    await startAll();
    await acme.waitForAcknowledged(before);
    const later = achChange(acme.company, randomUUID());
    const missing = await client.accept(later);
    await acme.waitForAcknowledged([missing]);
    await stopAll();
    await runSql(admin.href, `drop database ${name} with (force)`);
    await runSql(admin.href, `alter database ${name}_backup rename to ${name}`);

    await startAll();
    for (const accepted of before) await client.waitForState(accepted, 'delivered');
    expect((await client.call('GET', `/v1/events/${missing.notificationId}`)).status).toBe(404);
    const again = await client.accept(later);
    expect(again).toMatchObject({ duplicate: false });
    expect(again.notificationId).not.toBe(missing.notificationId);
    await acme.waitForAcknowledged([again]);

    const times = (notificationId: string): number =>
      acme.arrivals.filter((arrival) => arrival.notificationId === notificationId).length;
    expect(before.map(({ notificationId }) => times(notificationId))).toEqual([2, 2, 2]);
    expect(times(missing.notificationId)).toBe(1);
    const [first] = before;
    const bodies = acme.arrivals
      .filter(({ notificationId }) => notificationId === first?.notificationId)
      .map(({ request }) => request.body);
    expect(new Set(bodies).size).toBe(1);
    expect(new Set(acme.arrivals.map(({ verdict }) => verdict))).toEqual(new Set(['verified']));
  });
});
