import { describe, expect, it } from '@jest/globals';
import { HEALTHY } from '#libs/policy';
import { Metrics } from '#libs/observability';
import { fetchedDelivery, openSession } from '#test/support/open-session';
import { SessionEnd } from './session-end.js';
import type { DeliverySession } from './session.js';

const ends = () =>
  new SessionEnd(
    { leave: async () => undefined },
    { addTimers: async () => undefined, addConsumers: async () => undefined },
    new Metrics(),
  );

/** A session whose last work was so long ago. */
function idleFor(ms: number, given: Parameters<typeof openSession>[0] = {}): DeliverySession {
  const session = openSession(given);
  session.lastWorkAtMs = performance.now() - ms;
  return session;
}

/** Which of these sessions were left for lack of work. */
async function leftOf(
  sessions: readonly DeliverySession[],
  { slots = 512, hintsArrive = true } = {},
): Promise<boolean[]> {
  await ends().endSessions(new Set(sessions), { slots, hintsArrive });
  return sessions.map(({ leaving }) => leaving !== null);
}

describe('a session without work', () => {
  it('stays open for 30 s while hints of new deliveries arrive, and for 3 s without them', async () => {
    expect(await leftOf([idleFor(29_000), idleFor(30_000)])).toEqual([false, true]);
    const hintsArrive = false;
    expect(await leftOf([idleFor(2_000), idleFor(3_000)], { hintsArrive })).toEqual([false, true]);
  });

  it('stays open for 3 s if its consumer fails, since a timer is set for the next retry', async () => {
    const health = { ...HEALTHY, failures: 1 };
    expect(await leftOf([idleFor(2_000, { health }), idleFor(3_000, { health })])).toEqual([false, true]);
  });

  it('ends when more than seven of eight slots are taken and it is the longest idle one', async () => {
    const busy = idleFor(9_000);
    void busy.begin(fetchedDelivery('a'), performance.now());
    const others = [5_000, 8_000, 7_000, 6_000].map((ms) => idleFor(ms));
    expect(await leftOf([busy, ...others], { slots: 4 })).toEqual([false, false, true, true, false]);
    expect(await leftOf([busy, ...others], { slots: 4 })).toEqual([false, false, true, true, false]);
  });

  it('ends at once on a worker with a single slot', async () => {
    expect(await leftOf([idleFor(0)], { slots: 1 })).toEqual([true]);
  });
});
