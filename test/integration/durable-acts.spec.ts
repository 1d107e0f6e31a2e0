import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '#libs/database';
import { sql } from 'kysely';
import { Recipient } from '#test/support/recipient';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';
import { lockForAdmission } from '../../libs/database/src/delivering/admission-facts.js';

let story: StoryInProcess;
beforeAll(async () => {
  story = await startStoryInProcess();
});
afterAll(() => story.close());

/** Whether a commit waits for the disk behind these locks, on a server that is configured as in production. */
const commitBehind = (lock: (trx: Database) => Promise<void>): Promise<string | undefined> =>
  story.db.transaction().execute(async (trx) => {
    await sql`set local synchronous_commit = on`.execute(trx);
    await lock(trx);
    const { rows } = await sql<{ setting: string }>`
      select current_setting('synchronous_commit') as setting`.execute(trx);
    return rows[0]?.setting;
  });

it('the commit of a person’s act waits for the disk; that of a take, with the same locks, does not', async () => {
  const recipient = await Recipient.add(story);
  const ids = await recipient.acceptPayments(2);
  expect(await commitBehind((trx) => lockForAdmission(trx, ids))).toBe('on');
  expect(await commitBehind((trx) => lockForAdmission(trx, ids, 'lazy'))).toBe('off');
  expect(await commitBehind((trx) => lockForAdmission(trx, ids))).toBe('on');
});
