import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mendSecretFaults, noteSecretFault } from '#libs/database';
import { sql } from 'kysely';
import { Recipient, stateOf } from '#test/support/recipient';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';
import { TestSession } from '#test/support/test-session';

let story: StoryInProcess;

beforeAll(async () => {
  story = await startStoryInProcess();
});
afterAll(() => story.close());

const works = (): Promise<void> => Promise.resolve();
const fails = (): Promise<void> => Promise.reject(new Error('no key k9'));

it('credentials that cannot be decrypted stop the consumer without an attempt, until they can be', async () => {
  const recipient = await Recipient.add(story);
  const [id = ''] = await recipient.acceptPayments(1);
  const session = await TestSession.open(story.pipeline, recipient.id);
  expect(await noteSecretFault(story.db, recipient.id, 'no key k9')).toMatchObject({ kind: 'secret_fault' });
  expect(await noteSecretFault(story.db, recipient.id, 'no key k9')).toBeUndefined();
  expect([await session.fetch(), await stateOf(story, id)]).toEqual([[], 'held:secret']);

  expect(await mendSecretFaults(story.db, fails)).toEqual([]);
  const tried: [string, number][] = [];
  const mended = await mendSecretFaults(story.db, (consumerId, version) => {
    tried.push([consumerId, version]);
    return works();
  });
  expect(tried).toEqual([[recipient.id, 1]]);
  expect(mended).toEqual([{ consumerId: recipient.id, kind: 'secret_mended', details: {} }]);
  expect(await mendSecretFaults(story.db, works)).toEqual([]);
  expect(await session.fetch()).toMatchObject([{ id, attempts: 0 }]);
  expect(await recipient.audited()).toEqual(['consumer.secret_fault', 'consumer.secret_mended']);
  const { rows } = await sql`
    select cause from excluded_downtime where consumer_id = ${recipient.id}`.execute(story.db);
  expect(rows).toEqual([{ cause: 'secret' }]);
});

it('credentials of one consumer are tried again without those of the others', async () => {
  const [one, other] = [await Recipient.add(story), await Recipient.add(story)];
  for (const { id } of [one, other]) await noteSecretFault(story.db, id, 'no key k9');
  const mended = await mendSecretFaults(story.db, works, one.id);
  expect(mended.map(({ consumerId }) => consumerId)).toEqual([one.id]);
});
