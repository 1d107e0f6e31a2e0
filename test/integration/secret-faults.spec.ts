import { expect, it } from 'vitest';
import { clearSecretFaults, noteSecretFault } from '#libs/database';
import { sql } from 'kysely';
import { Recipient, stateOf } from '#test/support/recipient';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { TestSession } from '#test/support/test-session';

const dispatcher = await startDispatcherInProcess();

const works = (): Promise<void> => Promise.resolve();
const fails = (): Promise<void> => Promise.reject(new Error('no key k9'));

it('holds the deliveries of a consumer, without an attempt, until its credentials can be decrypted', async () => {
  const recipient = await Recipient.add(dispatcher);
  const [id = ''] = await recipient.acceptPayments(1);
  const session = await TestSession.open(dispatcher.pipeline, recipient.id);
  expect(await noteSecretFault(dispatcher.db, recipient.id, 'no key k9')).toMatchObject({
    kind: 'secret_fault',
  });
  expect(await noteSecretFault(dispatcher.db, recipient.id, 'no key k9')).toBeUndefined();
  expect([await session.fetch(), await stateOf(dispatcher, id)]).toEqual([[], 'held:secret']);

  expect(await clearSecretFaults(dispatcher.db, fails)).toEqual([]);
  const tried: [string, number][] = [];
  const restored = await clearSecretFaults(dispatcher.db, (consumerId, version) => {
    tried.push([consumerId, version]);
    return works();
  });
  expect(tried).toEqual([[recipient.id, 1]]);
  expect(restored).toEqual([{ consumerId: recipient.id, kind: 'secret_restored', details: {} }]);
  expect(await clearSecretFaults(dispatcher.db, works)).toEqual([]);
  expect(await session.fetch()).toMatchObject([{ id, attempts: 0 }]);
  expect(await recipient.audited()).toEqual(['consumer.secret_fault', 'consumer.secret_restored']);
  const { rows } = await sql`
    select cause from excluded_downtime where consumer_id = ${recipient.id}`.execute(dispatcher.db);
  expect(rows).toEqual([{ cause: 'secret' }]);
});

it('tries the faulty credentials of a single consumer again', async () => {
  const [one, other] = [await Recipient.add(dispatcher), await Recipient.add(dispatcher)];
  for (const { id } of [one, other]) await noteSecretFault(dispatcher.db, id, 'no key k9');
  const restored = await clearSecretFaults(dispatcher.db, works, one.id);
  expect(restored.map(({ consumerId }) => consumerId)).toEqual([one.id]);
});
