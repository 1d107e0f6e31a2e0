import { healthy } from '#test/chaos/behaviours';
import type { CustomerPlan } from '#test/chaos/customers';
import type { Planted } from '#test/chaos/planted-faults';
import { PENDING_TABLE } from '#test/chaos/pending-table';
import type { Cast, Scenario } from '#test/chaos/scenario';
import type { ChaosEnvironment } from '#test/chaos/chaos-environment';
import { ApiClient } from '#test/support/api-client';
import { waitUntil } from '#test/support/wait-until';

const consumer = (timeoutMs: number, retrySchedule: readonly number[]): CustomerPlan => ({
  name: 'the one customer',
  companies: ['C-0'],
  behaviour: healthy,
  isSteady: false,
  timeoutMs,
  retrySchedule,
});

const PATIENCE_MS = 15_000;

/** For each planted fault the shortest way to bring it out; on a build without it the same way comes to no harm. */
export const PLANTED_SCENARIOS: Readonly<Record<Planted, Scenario>> = {
  'no-fence': { customers: [consumer(30_000, [1, 1, 1])], patienceMs: PATIENCE_MS, play: lateRecord },
  'no-parking-release': {
    customers: [consumer(1_000, [600, 600, 600])],
    patienceMs: PATIENCE_MS,
    play: retryByHand,
  },
  // The first retry must not come before the queue is emptied, also on a starved machine.
  'no-reconcile': { customers: [consumer(1_000, [30, 30, 30])], patienceMs: 55_000, play: emptiedQueue },
};

const TAKEN_OVER_WITHIN_MS = 25_000;

/**
 * A worker is frozen in the middle of a POST until another one sends the same delivery, and is then let go on and
 * answered: what it records must change nothing, since the consumer is the other's by now.
 */
async function lateRecord({ stage, customers, observationLog, produce }: Cast): ReturnType<Scenario['play']> {
  const [frozen, other] = stage.workers;
  if (frozen === undefined || other === undefined) throw new Error('two workers are needed');
  const answerWhen = (when: Promise<void>): void =>
    customers.forEach((customer) => customer.behave(() => ({ status: 200, delayMs: 0, when })));
  const tookOver = Promise.withResolvers<void>();
  answerWhen(tookOver.promise);
  other.signal('SIGSTOP');
  const producers = produce({ producers: 1, changesPerSecond: 20 });
  await waitUntil(() => observationLog.arrivals.length > 0, { what: 'a POST' });
  await producers.finish();
  frozen.signal('SIGSTOP');
  const recorded = Promise.withResolvers<void>();
  answerWhen(recorded.promise);
  other.signal('SIGCONT');
  const [first] = observationLog.arrivals;
  await waitUntil(
    () => observationLog.arrivals.some((a) => a !== first && a.notificationId === first?.notificationId),
    { deadlineMs: TAKEN_OVER_WITHIN_MS, what: 'another worker to take over' },
  );
  frozen.signal('SIGCONT');
  tookOver.resolve();
  await waitUntil(
    async () => stage.log.refusedRecords > 0 || (await stage.ask('select from attempts')).length > 0,
    { what: 'the worker that was frozen to record its answer, or to be kept from it' },
  );
  recorded.resolve();
  customers.forEach((customer) => customer.behave(healthy));
  await stage.allReady();
  return producers;
}

/** An operator retries what has failed and waits for its next attempt: what waits behind it follows at once. */
async function retryByHand({ stage, customers, produce }: Cast): ReturnType<Scenario['play']> {
  customers.forEach((customer) => customer.behave(() => ({ status: 500, delayMs: 0 })));
  const producers = produce({ producers: 1, changesPerSecond: 20 });
  await waitUntil(() => producers.promised.length >= 20, { what: 'payments with several statuses' });
  await producers.finish();
  await waitUntil(
    async () => (await pendingWhere(stage, `next_attempt_at < now() + interval '1 minute'`)).length === 0,
    { what: 'everything to wait for a retry, or behind one that does' },
  );
  customers.forEach((customer) => customer.behave(healthy));
  const [api] = stage.apis;
  if (api === undefined) throw new Error('an api is needed');
  const operator = new ApiClient(api.baseUrl, stage.adminKey);
  for (const { id } of await pendingWhere(stage, 'attempts > 0'))
    await operator.call('POST', `/v1/deliveries/${id}/retry`, { reason: 'the customer is back' });
  return producers;
}

/** The queue is emptied while no worker serves the consumer: all that it held is the time of the next attempts. */
async function emptiedQueue({ stage, customers, faults, produce }: Cast): ReturnType<Scenario['play']> {
  customers.forEach((customer) => customer.behave(() => ({ status: 503, delayMs: 0 })));
  const producers = produce({ producers: 6, changesPerSecond: 60 });
  await waitUntil(async () => (await pendingWhere(stage, 'attempts > 0')).length > 0, {
    what: 'retries to be waiting',
  });
  await producers.finish();
  await waitUntil(() => waitsForTimersOnly(stage), {
    what: 'nothing but timers to bring the consumer back',
    everyMs: 50,
  });
  await faults.carryOut({ atMs: 0, kind: 'Redis FLUSHALL', target: 0, forMs: 0 });
  customers.forEach((customer) => customer.behave(healthy));
  return producers;
}

/**
 * Neither a session nor a job is there that would go on without the queue, or come to it after it was emptied: one whose
 * status was just accepted, or whose retry is due in a moment.
 */
async function waitsForTimersOnly(stage: ChaosEnvironment): Promise<boolean> {
  const has = async (jobs: string): Promise<boolean> =>
    [await stage.tellRedis('KEYS', `*:deliveries:${jobs}`)].flat().length > 0;
  const isServed = (await stage.ask('select from consumer_runtime where session_open')).length > 0;
  const isDue = (await pendingWhere(stage, `next_attempt_at < now() + interval '5 seconds'`)).length > 0;
  return !isServed && !isDue && !(await has('wait')) && !(await has('active')) && (await has('delayed'));
}

const pendingWhere = (stage: ChaosEnvironment, condition: string): Promise<{ id: string }[]> =>
  stage.ask(`select id from ${PENDING_TABLE} where ${condition}`);
