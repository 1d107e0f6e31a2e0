import { setInterval as every, setTimeout as pause } from 'node:timers/promises';
import { healthy, type Behaviour } from '#test/chaos/consumers';
import { lockTable, suspend, type DisturbedSystem, type Fault, type Faults } from '#test/chaos/disturb';
import { FAULTS } from '#test/chaos/faults';
import { deliveryKey, type Takeover } from '#test/chaos/observations';
import type { Producers } from '#test/chaos/producers';
import { follow, planFaults, type PlanOptions } from '#test/chaos/schedule';
import type { SeededRandom } from '#test/chaos/seeded-random';
import { ApiClient } from '#test/support/api-client';
import { waitUntil } from '#test/support/wait-until';

/** The parts of a run that a course uses. */
export interface RunningSystem extends DisturbedSystem {
  readonly faults: Faults;
  readonly takeovers: Takeover[];
  readonly random: SeededRandom;
  /** Starts the load. It lasts at most until the end of the course. */
  readonly produce: () => Producers;
}

export type Course = (system: RunningSystem) => Promise<void>;

type Range = readonly [leastMs: number, mostMs: number];

/** One of these faults, a while after the one before. */
export interface Step {
  readonly afterMs: Range;
  readonly anyOf: readonly Fault[];
  readonly forMs: Range;
  /** When consumers may wait for a worker's lock to run out. */
  readonly takeover?: 'at its beginning' | 'until it is over' | undefined;
}

/** A worker's lock runs out and another worker takes its consumers over within this time. */
const TAKEOVER_MS = 10_000;

/** These steps under load, and then a while without a fault. */
export const inTurn =
  (steps: readonly Step[], thenMs: number): Course =>
  async ({ environment, faults, takeovers, random, produce }) => {
    produce();
    for (const { afterMs, anyOf, forMs, takeover } of steps) {
      await pause(random.integer(...afterMs));
      const [fault] = random.shuffled(anyOf);
      if (fault === undefined) throw new Error('a step has a fault');
      const fromMs = Date.now();
      const waits: Takeover = { fromMs, untilMs: fromMs + TAKEOVER_MS };
      if (takeover !== undefined) takeovers.push(waits);
      await faults.execute(fault, random.integer(...forMs));
      if (takeover === 'until it is over') waits.untilMs = Date.now() + TAKEOVER_MS;
      await environment.allReady();
    }
    await pause(thenMs);
  };

/** All kinds of faults, several at a time, until the last planned one is over. */
export const everything =
  (options: PlanOptions): Course =>
  async ({ environment, consumers, faults, produce }) => {
    for (const consumer of consumers) consumer.startClock();
    const producers = produce();
    const chaos = Promise.all([follow(faults, planFaults(options)), pause(options.seconds * 1_000)]);
    // A fault may be late; the load lasts until the last one is over.
    let isOver = false;
    chaos.then(() => (isOver = true)).catch(() => (isOver = true));
    for await (const _ of every(50)) {
      await Promise.all(consumers.map((consumer) => consumer.updateListening()));
      if (isOver) break;
    }
    await Promise.all([chaos, producers.finish()]);
    for (const consumer of consumers) {
      if (!consumer.plan.isSteady) consumer.behave(healthy);
      await consumer.updateListening();
    }
    await environment.allReady();
  };

/** Nothing but load. Producers wait for their answers: a system that is too slow would make the load lighter unnoticed. */
export const undisturbed =
  (seconds: number): Course =>
  async ({ noticed, produce }) => {
    const producers = produce();
    await pause(seconds * 1_000);
    const perSecond = producers.accepted.length / seconds;
    const { changesPerSecond } = producers.options;
    if (perSecond < 0.9 * changesPerSecond)
      noticed.push(`only ${perSecond.toFixed(0)} of ${changesPerSecond} events a second were accepted`);
  };

const answering =
  (status: number, when?: Promise<void>): Behaviour =>
  () => ({ status, delayMs: 0, ...(when === undefined ? {} : { when }) });

const behaveAll = ({ consumers }: RunningSystem, behaviour: Behaviour): void =>
  consumers.forEach((consumer) => consumer.behave(behaviour));

const pendingWhere = ({ environment }: RunningSystem, condition: string): Promise<{ id: string }[]> =>
  environment.query(`select id from pending_deliveries where ${condition}`);

/**
 * A worker is suspended during a POST until another worker sends the same delivery. The first worker then continues and is
 * answered: its result must not be recorded, since the other worker has the consumer's session.
 */
export const lateRecord: Course = async (system) => {
  const { environment, observationLog, produce } = system;
  const [suspended, other] = environment.workers;
  if (suspended === undefined || other === undefined) throw new Error('two workers are needed');
  const [tookOver, recorded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  behaveAll(system, answering(200, tookOver.promise));
  await suspend(other, async () => {
    const producers = produce();
    await waitUntil(() => observationLog.arrivals.length > 0, { what: 'the first POST to arrive' });
    await producers.finish();
    suspended.signal('SIGSTOP');
    behaveAll(system, answering(200, recorded.promise));
  });
  const [first] = observationLog.arrivals;
  await waitUntil(
    () => observationLog.arrivals.some((a) => a !== first && a.notificationId === first?.notificationId),
    { what: 'another worker to take over' },
  );
  suspended.signal('SIGCONT');
  tookOver.resolve();
  await waitUntil(
    async () =>
      environment.refusedRecords > 0 || (await environment.query('select from attempts')).length > 0,
    { what: 'the suspended worker to record its result, or to be fenced' },
  );
  recorded.resolve();
  behaveAll(system, healthy);
  await environment.allReady();
};

export const manualRetry: Course = async (system) => {
  const { environment, produce } = system;
  behaveAll(system, answering(500));
  const producers = produce();
  await waitUntil(() => producers.accepted.length >= 20, { what: '20 status changes to be accepted' });
  await producers.finish();
  await waitUntil(
    async () => (await pendingWhere(system, `next_attempt_at < now() + interval '1 minute'`)).length === 0,
    { what: 'all deliveries to wait for a retry or behind one' },
  );
  behaveAll(system, healthy);
  const operator = new ApiClient(environment.apis[0]?.baseUrl ?? '', environment.adminKey);
  for (const { id } of await pendingWhere(system, 'attempts > 0'))
    await operator.call('POST', `/v1/deliveries/${id}/retry`, { reason: 'the consumer is up again' });
};

export const emptiedQueue: Course = async (system) => {
  const { environment, faults, produce } = system;
  behaveAll(system, answering(503));
  const producers = produce();
  await waitUntil(async () => (await pendingWhere(system, 'attempts > 0')).length > 0, {
    what: 'a delivery to wait for its retry',
  });
  await producers.finish();
  const has = async (jobs: string): Promise<boolean> =>
    ((await environment.redis?.asked((redis) => redis.keys(`*:deliveries:${jobs}`))) ?? []).length > 0;
  // No session is open, which would continue without the queue, and nothing adds a job after the queue was emptied.
  const hasTimersOnly = async (): Promise<boolean> =>
    (await environment.query('select from consumer_runtime where session_open')).length === 0 &&
    (await pendingWhere(system, `next_attempt_at < now() + interval '5 seconds'`)).length === 0 &&
    !(await has('wait')) &&
    !(await has('active')) &&
    (await has('delayed'));
  await waitUntil(hasTimersOnly, { what: 'the queue to contain only the consumer’s timer', everyMs: 50 });
  const [emptied] = FAULTS['Redis FLUSHALL'].forms('redis');
  if (emptied !== undefined) await faults.execute(emptied, 0);
  behaveAll(system, healthy);
};

/** As a check constraint refuses a row: for good, and not because of an answer's content. */
const REFUSE_ATTEMPTS = `
  create table chaos.refused (delivery_id uuid primary key);
  create function chaos.refuse_attempt() returns trigger language plpgsql as $$
  begin
    if exists (select from chaos.refused where delivery_id = new.delivery_id) then
      raise exception 'this attempt is refused' using errcode = 'check_violation';
    end if;
    return new;
  end $$;
  create trigger chaos_refuse_attempt before insert on attempts
    for each row execute function chaos.refuse_attempt()`;

/** POSTs that are answered at the same moment, and so recorded in few batches; each consumer gets 4 until it answers. */
const OPEN_POSTS = 12;

/** The other records are written at once, without being held, and each delivery is sent once, the refused one included. */
export const refusedRecord: Course = async (system) => {
  const { environment, observationLog, faults, noticed, produce } = system;
  await environment.query(REFUSE_ATTEMPTS);
  const answer = Promise.withResolvers<void>();
  behaveAll(system, answering(200, answer.promise));
  const producers = produce();
  await waitUntil(() => observationLog.open >= OPEN_POSTS, { what: `${OPEN_POSTS} POSTs to be open` });
  await producers.finish();
  const refused = observationLog.arrivals[OPEN_POSTS / 2];
  if (refused === undefined) throw new Error('a POST has arrived');
  await environment.query(
    `insert into chaos.refused select id from pending_deliveries where event_id = $1 and consumer_id = $2`,
    [refused.notificationId, refused.consumer],
  );
  behaveAll(system, healthy);
  const [{ now } = { now: '' }] = await environment.query<{ now: string }>('select now()::text');
  const run: Fault['run'] = async (_system, forMs) => {
    await answerWhileLocked(system, answer.resolve);
    await pause(forMs);
  };
  // Longer than the 5 s after which a delivery that could not be recorded used to be sent again.
  await faults.execute({ label: 'record refused', run }, 12_000);
  const keyOf = (arrival: typeof refused): string => deliveryKey(arrival.notificationId, arrival.consumer);
  for (const [key, posts] of Map.groupBy(observationLog.arrivals, keyOf))
    if (posts.length > 1)
      noticed.push(`${key === keyOf(refused) ? 'the refused delivery' : key} was sent ${posts.length} times`);
  const held = await environment.query(
    `select distinct delivery_id from chaos.holds
     where held_at >= $1 and delivery_id not in (select delivery_id from chaos.refused)`,
    [now],
  );
  if (held.length > 0) noticed.push(`${held.length} deliveries were held because another one is refused`);
  // The payment's later statuses rightly wait for the refused record.
  const notRecorded = await environment.query(
    `select other.id from pending_deliveries other, pending_deliveries refused, chaos.refused r
     where refused.id = r.delivery_id and (other.consumer_id, other.event_type, other.payment_id)
           is distinct from (refused.consumer_id, refused.event_type, refused.payment_id)`,
  );
  if (notRecorded.length > 0)
    noticed.push(`${notRecorded.length} deliveries were not recorded while one was refused`);
  await environment.query('delete from chaos.refused');
};

/** No record is committed until all answers are there: those after the first are recorded together. */
async function answerWhileLocked({ environment }: RunningSystem, answer: () => void): Promise<void> {
  const locked = lockTable(environment, 'attempts', 1_000);
  const isLocked = async (): Promise<boolean> =>
    (
      await environment.query(
        `select from pg_locks where relation = 'attempts'::regclass and mode = 'AccessExclusiveLock' and granted`,
      )
    ).length > 0;
  await waitUntil(isLocked, { what: 'the attempts to be locked', everyMs: 10 });
  answer();
  await locked;
}
