import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeliveryCommands } from '#apps/api/src/resources/deliveries/delivery-commands';
import { sql } from 'kysely';
import { ANN } from '#test/support/actor';
import { startDispatcherInProcess, type DispatcherInProcess } from '#test/support/dispatcher-in-process';
import { stateOf } from '#test/support/recipient';
import { ServedConsumer } from '#test/support/served-consumer';
import { waitUntil } from '#test/support/wait-until';

let services: DispatcherInProcess;
beforeEach(async () => {
  services = await startDispatcherInProcess();
});
afterEach(() => services.close());

it('sends each delivery once when PostgreSQL refuses the record of one, and holds that one until it is retried', async () => {
  const consumer = await ServedConsumer.add(services, { max_concurrency: 8 });
  // Answered together, so that one batch has the records of all.
  const all = Promise.withResolvers<object>();
  consumer.answer(() => (consumer.arrivals.length >= 4 ? (all.resolve({}), {}) : all.promise));
  const deliveries = await consumer.acceptMany(4);
  const [refused = '', ...others] = deliveries;
  await sql`alter table attempts add constraint refused check (delivery_id <> ${sql.lit(refused)})`.execute(
    services.db,
  );
  await services.startWorker();
  await waitUntil(async () => (await stateOf(services, refused)) === 'held:record', {
    what: 'the refused record to be shown',
  });
  for (const id of others)
    await waitUntil(async () => (await stateOf(services, id)) === 'delivered', {
      what: 'the other records of its batch to be written',
    });
  // Its slot is free, and what comes later is delivered.
  await consumer.acceptMany(8);
  await consumer.waitFor(12);
  expect(consumer.arrivals.map(({ place }) => place).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 12 }, (_, index) => index + 1),
  );
  expect(await stateOf(services, refused)).toBe('held:record');

  await sql`alter table attempts drop constraint refused`.execute(services.db);
  await services.app.get(DeliveryCommands).retry(refused, { reason: 'the constraint is gone' }, ANN);
  await waitUntil(async () => (await stateOf(services, refused)) === 'delivered', {
    what: 'the delivery to be recorded',
  });
});
