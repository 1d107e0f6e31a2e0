import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Customer } from '#test/support/customer';
import { ACH_LIFE, achLife } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';

/** A promise of the product, from the kill to the delivery. */
const TAKEN_OVER_WITHIN_MS = 60_000;

describe.each(QUEUE_BACKENDS)(
  'a worker killed in the middle of a delivery, with the queue on %s',
  (backend) => {
    let system: System;
    beforeAll(async () => {
      system = await System.start({ backend });
    });
    afterAll(() => system.stop());

    test('loses nothing: another delivers it and what follows, and the lost attempt is not counted', async () => {
      const { client } = system;
      const payment = randomUUID();
      const acme = await Customer.onboard(client, { timeoutMs: 5_000, behaviour: () => 'hang' });
      const accepted = await client.acceptAll(achLife(acme.company, payment));
      await acme.waitForArrivals(1);

      await system.workers[0]?.kill('SIGKILL');
      acme.behave(() => ({}));
      await system.startWorker();
      await acme.waitToHaveTaken(accepted, TAKEN_OVER_WITHIN_MS);

      expect(acme.arrivals.map((arrival) => arrival.status)).toEqual(['INITIATED', ...ACH_LIFE]);
      for (const event of accepted) {
        expect(await client.waitForState(event, 'delivered')).toMatchObject({ attemptCount: 1 });
      }
    }, 90_000);
  },
);
