import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { take, topUp } from '#libs/database';
import { Gatekeeper } from '#libs/dispatch';
import { sql } from 'kysely';
import { Recipient } from '#test/support/recipient';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';
import { waitUntil } from '#test/support/wait-until';

const PER_SECOND = 10;
const HORIZON_SECONDS = 2;

let story: StoryInProcess;

beforeAll(async () => {
  story = await startStoryInProcess();
  jest.spyOn(story.app.get(Gatekeeper, { strict: false }), 'putOnHold').mockImplementation(() => undefined);
});
afterAll(() => story.close());

const kinds = async (ids: readonly string[]): Promise<string[]> =>
  (await take(story.db, ids)).map((answer) => answer.kind);

describe('maxPerSecond', () => {
  it('gives each its moment within the horizon; what would come later is held', async () => {
    const recipient = await Recipient.add(story, { max_per_second: PER_SECOND });
    const ids = await recipient.acceptPayments(30);
    const answers = await take(story.db, ids);
    const waits = answers.flatMap((answer) => (answer.kind === 'not_due' ? [Math.round(answer.waitMs)] : []));
    expect(answers[0]).toMatchObject({ kind: 'taken' });
    expect(waits.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: PER_SECOND * HORIZON_SECONDS - 1 }, (_, index) => (index + 1) * 100),
    );
    expect(await recipient.inState('held')).toHaveLength(30 - 1 - waits.length);
    expect(await topUp(story.db, [recipient.id])).toEqual([]);
  });

  it('is kept when jobs come a little before their moments', async () => {
    const { first, again } = await waitUntil(
      async () => {
        const recipient = await Recipient.add(story, { max_per_second: 5 });
        const ids = await recipient.acceptPayments(3);
        const startedAt = performance.now();
        const answers = { first: await kinds(ids), again: await kinds(ids.slice(1)) };
        // The second may go 200 ms after the first, less the tolerance: a machine that was slower shows nothing.
        return performance.now() - startedAt < 100 && answers;
      },
      { what: 'two takes in a tenth of a second' },
    );
    expect(first).toEqual(['taken', 'not_due', 'not_due']);
    expect(again).not.toContain('taken');
  });

  it('is kept when the workers stood still and every moment is past', async () => {
    const recipient = await Recipient.add(story, { max_per_second: PER_SECOND });
    const ids = await recipient.acceptPayments(20);
    await take(story.db, ids);
    await letPass(recipient, 5);
    const late = await kinds(ids.slice(1));
    // One that is late, and one that is early, each by no more than the tolerance.
    expect(late.filter((kind) => kind === 'taken').length).toBeLessThanOrEqual(2);
  });
});

/** As if so much time had passed. */
async function letPass(recipient: Recipient, seconds: number): Promise<void> {
  await sql`
    update open_deliveries set next_attempt_at = next_attempt_at - make_interval(secs => ${seconds})
    where consumer_id = ${recipient.id} and state = 'queued'`.execute(story.db);
  await sql`
    update consumer_gates set next_send_at = next_send_at - make_interval(secs => ${seconds})
    where consumer_id = ${recipient.id}`.execute(story.db);
}
