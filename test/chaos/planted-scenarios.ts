import { setTimeout as pause } from 'node:timers/promises';
import { healthy, PATIENT_SCHEDULE_S } from '#test/chaos/behaviours';
import type { CustomerPlan } from '#test/chaos/customers';
import type { Planted } from '#test/chaos/planted-faults';
import type { Cast, Scenario } from '#test/chaos/scenario';
import { waitUntil } from '#test/support/wait-until';

const consumer = (company: string, timeoutMs: number): CustomerPlan => ({
  name: company,
  companies: [company],
  behaviour: healthy,
  isSteady: false,
  timeoutMs,
  retrySchedule: PATIENT_SCHEDULE_S,
});

const PATIENCE_MS = 12_000;

/** For each planted fault the shortest way to bring it out; on a build without it the same way comes to no harm. */
export const PLANTED_SCENARIOS: Readonly<Record<Planted, Scenario>> = {
  'skipped-release': { customers: [consumer('C-0', 1_000)], patienceMs: PATIENCE_MS, play: loadOnly },
  'no-fence': { customers: [consumer('C-0', 4_000)], patienceMs: PATIENCE_MS, play: lateRecord },
  'no-reconciler': { customers: [consumer('C-0', 1_000)], patienceMs: PATIENCE_MS, play: emptiedQueue },
};

const LOAD_MS = 3_000;

/** Statuses come faster than the consumer takes them, and nothing is in their way: a lane that stops was forgotten. */
async function loadOnly({ customers, produce }: Cast): ReturnType<Scenario['play']> {
  customers.forEach((customer) => customer.behave(() => ({ status: 200, delayMs: 300 })));
  const producers = produce({ producers: 6, changesPerSecond: 120 });
  await pause(LOAD_MS);
  await producers.finish();
  return producers;
}

const TAKEN_OVER_WITHIN_MS = 60_000;
/** How far into the second POST the frozen worker goes on, and how long that POST takes. */
const OVERLAP_MS = 300;
const HOLD_MS = 2_500;

/**
 * A worker is frozen in the middle of a POST until another has taken the delivery over, and goes on while the other
 * is in the middle of its own: what it then records must change nothing.
 */
async function lateRecord({
  stage,
  customers,
  notebook,
  faults,
  produce,
}: Cast): ReturnType<Scenario['play']> {
  const [frozen, other] = stage.workers;
  if (frozen === undefined || other === undefined) throw new Error('two workers are needed');
  customers.forEach((customer) => customer.behave(() => 'hang'));
  other.signal('SIGSTOP');
  const producers = produce({ producers: 1, changesPerSecond: 20 });
  await waitUntil(() => notebook.arrivals.length > 0, { what: 'a POST' });
  await producers.finish();
  frozen.signal('SIGSTOP');
  other.signal('SIGCONT');
  const [first] = notebook.arrivals;
  const isOverlapping = (): boolean =>
    notebook.arrivals.some(
      (a) =>
        a !== first &&
        a.notificationId === first?.notificationId &&
        Date.now() - a.beganAtMs > OVERLAP_MS &&
        a.endedAtMs === null,
    );
  customers.forEach((customer) => customer.behave(() => ({ status: 200, delayMs: HOLD_MS })));
  await faults.carryOut({ atMs: 0, kind: 'Redis FLUSHALL', target: 0, forMs: 0 });
  await waitUntil(isOverlapping, { deadlineMs: TAKEN_OVER_WITHIN_MS, what: 'another worker to take over' });
  frozen.signal('SIGCONT');
  await waitUntil(() => notebook.open === 0, {
    what: 'the second POST to end',
    everyMs: 100,
  });
  customers.forEach((customer) => customer.behave(healthy));
  await stage.allReady();
  return producers;
}

/** The queue is emptied while it holds every delivery's next attempt. */
async function emptiedQueue({
  stage,
  customers,
  notebook,
  faults,
  produce,
}: Cast): ReturnType<Scenario['play']> {
  customers.forEach((customer) => customer.behave(() => ({ status: 503, delayMs: 0 })));
  const producers = produce({ producers: 6, changesPerSecond: 60 });
  await waitUntil(() => notebook.arrivals.length >= 20, {
    what: 'retries to be waiting',
  });
  await producers.finish();
  await faults.carryOut({ atMs: 0, kind: 'Redis FLUSHALL', target: 0, forMs: 0 });
  customers.forEach((customer) => customer.behave(healthy));
  await stage.allReady();
  return producers;
}
