import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import { resumeConsumer } from '#libs/database';
import { Metrics } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { sql } from 'kysely';
import { outOfOrder, ServedConsumer } from '#test/support/served-consumer';
import {
  startDispatcherInProcess,
  type DispatcherInProcess,
  type WorkerInProcess,
} from '#test/support/dispatcher-in-process';
import { waitUntil } from '#test/support/wait-until';
import { AUDIT } from '#test/support/actor';

let services: DispatcherInProcess;

beforeEach(async () => {
  services = await startDispatcherInProcess();
});
afterEach(() => services.close());

const enqueue = (consumer: ServedConsumer): Promise<void> =>
  services.app.get(DispatchQueue, { strict: false }).addConsumers([consumer.id]);

const runtimeOf = ({ id }: ServedConsumer) =>
  services.db
    .selectFrom('consumer_runtime')
    .selectAll()
    .where('consumer_id', '=', id)
    .executeTakeFirstOrThrow();

async function pendingOf({ id }: ServedConsumer) {
  return services.db
    .selectFrom('pending_deliveries')
    .select(['id', 'attempts', 'schedule_step', 'last_http_status'])
    .where('consumer_id', '=', id)
    .orderBy('id')
    .execute();
}

const untilDelivered = (...deliveries: string[]): Promise<true> =>
  waitUntil(
    async () => {
      const { rows } = await sql<{ state: string }>`
        select state from deliveries where id = any (${deliveries}::uuid[])`.execute(services.db);
      expect(rows).toEqual(deliveries.map(() => ({ state: 'delivered' })));
      return true as const;
    },
    { what: `${String(deliveries.length)} deliveries to arrive` },
  );

const attemptsOf = async (...deliveries: string[]) => {
  const { rows } = await sql<{ number: number; outcome: string; probe: boolean }>`
    select number, outcome, probe from attempts where delivery_id = any (${deliveries}::uuid[])
    order by delivery_id, number`.execute(services.db);
  return rows;
};

/** Waits until so many attempts have failed with an internal error. */
const untilInternalErrors = ({ app }: WorkerInProcess, count: number): Promise<boolean> =>
  waitUntil(
    async () => {
      const { values } = await app.get(Metrics, { strict: false }).internalFaults.get();
      return (values.find(({ labels }) => labels.step === 'attempt')?.value ?? 0) >= count;
    },
    { what: `${String(count)} attempts to fail with an internal error` },
  );

/** Waits until no delivery of the consumer is in flight or will be fetched. */
const untilSessionEnded = (consumer: ServedConsumer): Promise<boolean> =>
  waitUntil(async () => !(await runtimeOf(consumer)).session_open, { what: 'the session to end' });

describe('open circuit', () => {
  const open = (consumer: ServedConsumer, probeInMs: number): Promise<unknown> =>
    sql`
      update consumer_runtime
      set failures = 10, circuit_opened_at = now(), next_probe_at = now() + ${probeInMs} * interval '1 millisecond'
      where consumer_id = ${consumer.id}`.execute(services.db);

  it('an open circuit sends one probe when it is due, and the rest when the probe is acknowledged', async () => {
    const probe = Promise.withResolvers<void>();
    const consumer = await ServedConsumer.add(services, {
      answering: async ({ place }) => {
        if (place === 1) await probe.promise;
        return {};
      },
    });
    await open(consumer, 1_500);
    const due = performance.now() + 1_500;
    const deliveries = await consumer.acceptMany(30);
    await services.startWorker();
    await enqueue(consumer);
    await consumer.waitFor(1);
    expect(consumer.arrivals[0]?.atMs).toBeGreaterThan(due - 100);
    // Until the probe is answered, another fetch finds nothing to send.
    await enqueue(consumer);
    await waitUntil(() => performance.now() > due + 2_500, { what: 'several fetches' });
    expect(consumer.arrivals).toHaveLength(1);
    probe.resolve();
    await untilDelivered(...deliveries);
    expect(await runtimeOf(consumer)).toMatchObject({ failures: 0, circuit_opened_at: null });
    expect(await attemptsOf(deliveries[0] ?? '')).toEqual([
      { number: 1, outcome: 'acknowledged', probe: true },
    ]);
  });

  it('a failed probe spends no attempt, doubles the wait, and the next probe is another delivery', async () => {
    const consumer = await ServedConsumer.add(services, { answering: () => ({ status: 503 }) });
    await open(consumer, 0);
    const deliveries = await consumer.acceptMany(3);
    await services.startWorker();
    await enqueue(consumer);
    for (const probes of [1, 2]) {
      await consumer.waitFor(probes);
      await waitUntil(async () => (await runtimeOf(consumer)).failed_probes === probes, {
        what: 'the probe to be recorded',
      });
      await untilSessionEnded(consumer);
      const { next_probe_at } = await runtimeOf(consumer);
      const inMs = (next_probe_at?.getTime() ?? 0) - Date.now();
      expect(inMs).toBeGreaterThan(probes * 60_000 - 20_000);
      expect(inMs).toBeLessThanOrEqual(probes * 60_000);
      await sql`update consumer_runtime set next_probe_at = now() where consumer_id = ${consumer.id}`.execute(
        services.db,
      );
      if (probes === 1) await enqueue(consumer);
    }
    expect(consumer.arrivals.map(({ place }) => place)).toEqual([1, 2]);
    expect(await pendingOf(consumer)).toMatchObject([
      { attempts: 1, schedule_step: 0 },
      { attempts: 1, schedule_step: 0 },
      { attempts: 0, schedule_step: 0 },
    ]);
    consumer.answer(() => ({}));
    await enqueue(consumer);
    await untilDelivered(...deliveries);
  });

  it('an open circuit is probed after a resume, once the requests in flight are answered', async () => {
    const slow = Promise.withResolvers<void>();
    const consumer = await ServedConsumer.add(services, {
      answering: async ({ place }) => {
        if (place === 1) await slow.promise;
        return { status: 503 };
      },
    });
    const deliveries = await consumer.acceptMany(2);
    // One more failure of another delivery opens the circuit.
    await sql`
      update consumer_runtime
      set failures = 10, failed_deliveries = array[${newId()}, ${newId()}, ${newId()}]::uuid[],
          first_failure_at = now() - interval '2 minutes'
      where consumer_id = ${consumer.id}`.execute(services.db);
    await services.startWorker();
    await enqueue(consumer);
    await consumer.waitFor(2);
    await waitUntil(async () => (await runtimeOf(consumer)).circuit_opened_at !== null, {
      what: 'the circuit to open',
    });
    await resumeConsumer(services.db, consumer.id, AUDIT);
    await enqueue(consumer);
    consumer.answer(() => ({}));
    slow.resolve();
    await consumer.waitFor(3);
    await untilDelivered(...deliveries);
    expect(await runtimeOf(consumer)).toMatchObject({ failures: 0, circuit_opened_at: null });
  });
});

describe('answer 410', () => {
  it('an answer 410 pauses the consumer, and a resume delivers the rest in order', async () => {
    const consumer = await ServedConsumer.add(services, {
      max_concurrency: 1,
      answering: ({ place }) => ({ status: place === 2 ? 410 : 200 }),
    });
    const deliveries = await consumer.accept('one', 'two', 'two', 'one');
    await services.startWorker();
    await waitUntil(async () => (await consumer.recipient.audited()).length > 0, { what: 'the pause' });
    await untilSessionEnded(consumer);
    await enqueue(consumer);
    await untilSessionEnded(consumer);
    expect(consumer.arrivals.map(({ place }) => place)).toEqual([1, 2]);
    expect(await consumer.recipient.audited()).toEqual(['consumer.paused_by_consumer']);
    expect(await pendingOf(consumer)).toMatchObject([
      { attempts: 1, schedule_step: 1, last_http_status: 410 },
      { attempts: 0 },
      { attempts: 0 },
    ]);

    consumer.answer(() => ({}));
    await resumeConsumer(services.db, consumer.id, AUDIT);
    await enqueue(consumer);
    await untilDelivered(...deliveries);
    expect(outOfOrder(consumer.arrivals)).toEqual([]);
  });
});

describe('internal error', () => {
  const moveEvent = (from: string, to: string): Promise<unknown> =>
    sql`update events set id = ${to} where id = ${from}`.execute(services.db);

  it('an internal error spends no attempt, holds the later statuses, and does not block other payments', async () => {
    const consumer = await ServedConsumer.add(services);
    const broken = await consumer.accept('broken', 'broken');
    const whole = await consumer.acceptMany(3);
    const { event_id: eventId } = await services.db
      .selectFrom('pending_deliveries')
      .select('event_id')
      .where('id', '=', broken[0] ?? '')
      .executeTakeFirstOrThrow();
    const elsewhere = newId();
    await moveEvent(eventId, elsewhere);
    const worker = await services.startWorker();
    await untilDelivered(...whole);
    await untilInternalErrors(worker, 1);
    expect(await pendingOf(consumer)).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);

    await moveEvent(elsewhere, eventId);
    await untilDelivered(...broken);
    expect(await attemptsOf(...broken)).toMatchObject([{ number: 1 }, { number: 1 }]);
    expect(consumer.arrivals.map(({ place }) => place).slice(3)).toEqual([1, 2]);
  });

  it('deliveries that all fail with an internal error are delivered once its cause is removed', async () => {
    const consumer = await ServedConsumer.add(services);
    const deliveries = await consumer.acceptMany(2);
    const credentials = (activeIn: string): Promise<unknown> =>
      sql`update consumer_credentials set activate_at = now() + ${activeIn}::interval where consumer_id = ${consumer.id}`.execute(
        services.db,
      );
    await credentials('1 hour');
    const worker = await services.startWorker();
    await enqueue(consumer);
    // Each of the two deliveries is tried again after a while.
    await untilInternalErrors(worker, 3);
    expect(await pendingOf(consumer)).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
    await credentials('0');
    await untilDelivered(...deliveries);
    expect(await attemptsOf(...deliveries)).toMatchObject([{ number: 1 }, { number: 1 }]);
  });
});

it('ends the job of a consumer that PostgreSQL does not know', async () => {
  const worker = await services.startWorker();
  await services.app.get(DispatchQueue, { strict: false }).addConsumers([newId(), newId()]);
  const haveEnded = await waitUntil(
    async () => {
      const { waiting, active } = await worker.app.get(DispatchQueue, { strict: false }).counts(5_000);
      return waiting + active === 0;
    },
    { what: 'the jobs to end' },
  );
  expect(haveEnded).toBe(true);
});

describe('failed delivery', () => {
  it('a failed delivery is retried when it is due, after the session of its consumer has ended', async () => {
    const consumer = await ServedConsumer.add(services, {
      // Longer than a session lingers.
      retry_schedule: [6, 6],
      answering: ({ place }) => ({ status: place === 1 && consumer.arrivals.length === 1 ? 500 : 200 }),
    });
    const deliveries = await consumer.accept('payment', 'payment');
    await services.startWorker();
    await consumer.waitFor(1);
    await untilSessionEnded(consumer);
    expect(consumer.arrivals).toHaveLength(1);
    await untilDelivered(...deliveries);
    expect(consumer.arrivals.map(({ place }) => place)).toEqual([1, 1, 2]);
    const [first, again] = consumer.arrivals;
    const waitedMs = (again?.atMs ?? 0) - (first?.atMs ?? 0);
    // The wait is 80 to 120 % of the schedule; reconcile runs only every 15 s.
    expect(waitedMs).toBeGreaterThan(4_790);
    expect(waitedMs).toBeLessThan(15_000);
  });

  it('a delivery is dead when its schedule is used up, and the next status of its payment is sent', async () => {
    const consumer = await ServedConsumer.add(services, {
      retry_schedule: [1],
      answering: ({ place }) => ({ status: place === 1 ? 500 : 200 }),
    });
    const [first = '', second = ''] = await consumer.accept('payment', 'payment');
    await services.startWorker();
    await untilDelivered(second);
    expect(consumer.arrivals.map(({ place }) => place)).toEqual([1, 1, 2]);
    const { rows } =
      await sql`select state, end_reason, attempts from deliveries where id = ${first}`.execute(services.db);
    expect(rows).toEqual([{ state: 'dead', end_reason: 'schedule_used_up', attempts: 2 }]);
  });
});
