import { healthy } from '#test/chaos/behaviours';
import type { ConsumerPlan } from '#test/chaos/chaos-consumer';
import type { Planted } from '#test/chaos/planted-faults';
import { refusedRecord } from '#test/chaos/refused-record';
import type { ScenarioContext, Scenario } from '#test/chaos/scenario';
import { PENDING_TABLE, type ChaosEnvironment } from '#test/chaos/chaos-environment';
import { moreHangThanSlots, neverAnswering } from '#test/chaos/unproven-consumers';
import { ApiClient } from '#test/support/api-client';
import { waitUntil } from '#test/support/wait-until';

const onlyConsumer = (timeoutMs: number, retrySchedule: readonly number[]): ConsumerPlan => ({
  name: 'the only consumer',
  companies: ['C-0'],
  behaviour: healthy,
  isSteady: false,
  timeoutMs,
  retrySchedule,
});

const IDLE_LIMIT_MS = 15_000;

/** For each planted fault the shortest scenario that shows it. Without the fault the scenario finds nothing. */
export const PLANTED_SCENARIOS: Readonly<Record<Planted, Scenario>> = {
  'no-fence': { consumers: [onlyConsumer(30_000, [1, 1, 1])], idleLimitMs: IDLE_LIMIT_MS, run: lateRecord },
  'no-halving': refusedRecord(),
  'no-parking-release': {
    consumers: [onlyConsumer(1_000, [600, 600, 600])],
    idleLimitMs: IDLE_LIMIT_MS,
    run: manualRetry,
  },
  // The first retry must not happen before the queue is emptied, also on a busy machine.
  'no-reconcile': { consumers: [onlyConsumer(1_000, [30, 30, 30])], idleLimitMs: 55_000, run: emptiedQueue },
  'no-slow-start': neverAnswering(),
  'no-unproven-share': moreHangThanSlots(),
};

const TAKEN_OVER_WITHIN_MS = 25_000;

/**
 * A worker is suspended during a POST until another worker sends the same delivery. The first worker then continues and is
 * answered: its result must not be recorded, since the other worker has the consumer's session.
 */
async function lateRecord({
  environment,
  consumers,
  observationLog,
  produce,
}: ScenarioContext): ReturnType<Scenario['run']> {
  const [suspended, other] = environment.workers;
  if (suspended === undefined || other === undefined) throw new Error('two workers are needed');
  const answerWhen = (when: Promise<void>): void =>
    consumers.forEach((consumer) => consumer.behave(() => ({ status: 200, delayMs: 0, when })));
  const tookOver = Promise.withResolvers<void>();
  answerWhen(tookOver.promise);
  other.signal('SIGSTOP');
  const producers = produce({ producers: 1, changesPerSecond: 20 });
  await waitUntil(() => observationLog.arrivals.length > 0, { what: 'the first POST to arrive' });
  await producers.finish();
  suspended.signal('SIGSTOP');
  const recorded = Promise.withResolvers<void>();
  answerWhen(recorded.promise);
  other.signal('SIGCONT');
  const [first] = observationLog.arrivals;
  await waitUntil(
    () => observationLog.arrivals.some((a) => a !== first && a.notificationId === first?.notificationId),
    { deadlineMs: TAKEN_OVER_WITHIN_MS, what: 'another worker to take over' },
  );
  suspended.signal('SIGCONT');
  tookOver.resolve();
  await waitUntil(
    async () =>
      environment.log.refusedRecords > 0 || (await environment.query('select from attempts')).length > 0,
    { what: 'the suspended worker to record its result, or to be fenced' },
  );
  recorded.resolve();
  consumers.forEach((consumer) => consumer.behave(healthy));
  await environment.allReady();
  return producers;
}

/** An operator retries deliveries that wait for their next attempt; the deliveries blocked by them follow at once. */
async function manualRetry({
  environment,
  consumers,
  produce,
}: ScenarioContext): ReturnType<Scenario['run']> {
  consumers.forEach((consumer) => consumer.behave(() => ({ status: 500, delayMs: 0 })));
  const producers = produce({ producers: 1, changesPerSecond: 20 });
  await waitUntil(() => producers.accepted.length >= 20, { what: '20 status changes to be accepted' });
  await producers.finish();
  await waitUntil(
    async () =>
      (await pendingWhere(environment, `next_attempt_at < now() + interval '1 minute'`)).length === 0,
    { what: 'all deliveries to wait for a retry or behind one' },
  );
  consumers.forEach((consumer) => consumer.behave(healthy));
  const [api] = environment.apis;
  if (api === undefined) throw new Error('an api is needed');
  const operator = new ApiClient(api.baseUrl, environment.adminKey);
  for (const { id } of await pendingWhere(environment, 'attempts > 0'))
    await operator.call('POST', `/v1/deliveries/${id}/retry`, { reason: 'the consumer is up again' });
  return producers;
}

/** The queue is emptied while it contains only the timer of the consumer's next attempts. */
async function emptiedQueue({
  environment,
  consumers,
  faults,
  produce,
}: ScenarioContext): ReturnType<Scenario['run']> {
  consumers.forEach((consumer) => consumer.behave(() => ({ status: 503, delayMs: 0 })));
  const producers = produce({ producers: 6, changesPerSecond: 60 });
  await waitUntil(async () => (await pendingWhere(environment, 'attempts > 0')).length > 0, {
    what: 'a delivery to wait for its retry',
  });
  await producers.finish();
  await waitUntil(() => waitsForTimersOnly(environment), {
    what: 'the queue to contain only the consumer’s timer',
    everyMs: 50,
  });
  await faults.execute({ atMs: 0, kind: 'Redis FLUSHALL', target: 0, forMs: 0 });
  consumers.forEach((consumer) => consumer.behave(healthy));
  return producers;
}

/**
 * Whether only a timer exists: no open session, which would continue without the queue, no job, and no delivery that is due
 * soon and would add a job after the queue was emptied.
 */
async function waitsForTimersOnly(environment: ChaosEnvironment): Promise<boolean> {
  const has = async (jobs: string): Promise<boolean> =>
    [await environment.redisCommand('KEYS', `*:deliveries:${jobs}`)].flat().length > 0;
  const isServed = (await environment.query('select from consumer_runtime where session_open')).length > 0;
  const isDue =
    (await pendingWhere(environment, `next_attempt_at < now() + interval '5 seconds'`)).length > 0;
  return !isServed && !isDue && !(await has('wait')) && !(await has('active')) && (await has('delayed'));
}

const pendingWhere = (environment: ChaosEnvironment, condition: string): Promise<{ id: string }[]> =>
  environment.query(`select id from ${PENDING_TABLE} where ${condition}`);
