import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { patrolLanes } from '#libs/database';
import { Gatekeeper } from '#libs/dispatch';
import fc from 'fast-check';
import type { Step } from '#test/support/hold-step';
import { HoldWorld } from '#test/support/hold-world';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

let story: StoryInProcess;
let world: HoldWorld | undefined;

beforeAll(async () => {
  story = await startStoryInProcess();
  jest
    .spyOn(story.app.get(Gatekeeper, { strict: false }), 'putOnHold')
    .mockImplementation((consumerIds) => world?.putOnHold(consumerIds));
});
afterAll(() => story.close());

const which = fc.nat({ max: 4_095 });
const consumer = fc.nat({ max: 1 });
const accepting: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('accept' as const),
  lanes: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 4 }),
});
const taking: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('take' as const), which });
const recording: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('record' as const),
  which,
  next: fc.constantFrom('delivered' as const, 'retry' as const, 'dead' as const),
});
const retrying: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('retry' as const),
  which,
  force: fc.boolean(),
});
const cancelling: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('cancel' as const), which });
const stepping: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('stepBulk' as const) });
const acts: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: retrying, weight: 3 },
  { arbitrary: cancelling, weight: 2 },
  { arbitrary: stepping, weight: 3 },
  {
    arbitrary: fc.record({
      kind: fc.constant('bulk' as const),
      consumer,
      action: fc.constantFrom('retry' as const, 'replay' as const, 'cancel' as const),
    }),
    weight: 1,
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: accepting, weight: 4 },
  { arbitrary: taking, weight: 6 },
  { arbitrary: recording, weight: 6 },
  { arbitrary: fc.record({ kind: fc.constant('loseLease' as const), which }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('pause' as const), consumer }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('resume' as const), consumer }), weight: 1 },
  {
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      consumer,
      maxConcurrency: fc.integer({ min: 1, max: 3 }),
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ kind: fc.constant('lookAtGates' as const) }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant('reconcile' as const) }), weight: 1 },
  {
    arbitrary: fc.record({
      kind: fc.constant('together' as const),
      steps: fc.array(fc.oneof(accepting, taking, recording), { minLength: 2, maxLength: 4 }),
    }),
    weight: 4,
  },
);

const withActs: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: step, weight: 3 },
  { arbitrary: acts, weight: 1 },
  {
    arbitrary: fc.record({
      kind: fc.constant('together' as const),
      steps: fc.array(fc.oneof(accepting, taking, recording, acts), { minLength: 2, maxLength: 4 }),
    }),
    weight: 1,
  },
);

it.each([
  { name: 'happens', history: step },
  { name: 'happens and whatever people do', history: withActs },
])(
  'whatever $name in whatever order: each rule holds at every step, and nothing is stranded',
  async ({ history }) => {
    // Not `interruptAfterTimeLimit`: the history that it interrupts lives on, and takes the next one's jobs.
    const enough = Date.now() + 10_000;
    await fc.assert(
      fc.asyncProperty(fc.array(history, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
        if (Date.now() > enough) return;
        world = await HoldWorld.create(story);
        for (const one of steps) {
          await world.run(one);
          expect(await world.broken()).toEqual([]);
        }
        expect(await world.drain()).toEqual([]);
        expect(await world.broken()).toEqual([]);
        expect((await patrolLanes(story.db, null, 10_000)).released).toEqual([]);
      }),
      { numRuns: 40 },
    );
  },
);
