import { afterAll, describe, expect, it } from 'vitest';
import { Leaving } from '#apps/worker/src/session/leaving';
import { DeliverySession } from '#apps/worker/src/session/session';
import { SessionStore } from '#apps/worker/src/session/session-store';
import { Recorder } from '#apps/worker/src/session/recorder';
import {
  acceptEvents,
  fetchDeliveries,
  leaveSessions,
  migrateToLatest,
  Pipeline,
  PIPELINE_SETTINGS,
  recordAttempts,
  type AttemptResult,
  type EndFacts,
  type LeavingSession,
  type NewEvent,
  type Statements,
} from '#libs/database';
import { createLogger, Metrics } from '#libs/observability';
import { everySchedule } from '#test/support/every-schedule';
import { acceptStatuses, routingVersion, deliveryOf, statusFor } from '#test/support/new-status';
import { OwnPostgres } from '#test/support/own-postgres';
import { TestSession } from '#test/support/test-session';
import { waitUntil } from '#test/support/wait-until';
import { insertConsumer } from '#test/support/consumer-row';
import { steppedConnections } from '#test/support/stepped-work';

// A server of its own: the end of a session waits for all transactions of a server, and so has another number of steps
// beside those of other tests or of autovacuum.
const server = await OwnPostgres.create({ durable: false, settings: { autovacuum: 'off' } });
await migrateToLatest(server.adminUrl);
const pipeline = new Pipeline({ url: server.adminUrl, poolSize: 4, settings: PIPELINE_SETTINGS });
const version = await routingVersion(pipeline.db);
const stepped = steppedConnections(server.adminUrl, pipeline.db);
afterAll(async () => {
  await pipeline.close();
  await server.remove();
});

async function open(over: Statements, consumerId: string) {
  const [opened] = await fetchDeliveries(over, [{ consumerId, session: null, wanted: 10, inFlight: [] }]);
  if (opened === undefined) throw new Error('an opened session is always answered');
  return opened;
}

/** A failed attempt of a delivery, and the session of the worker that made it. */
async function underWay(event: NewEvent): Promise<{ session: DeliverySession; result: AttemptResult }> {
  const [{ consumerId } = { consumerId: '' }] = event.deliveries;
  const { consumer } = await TestSession.open(pipeline, consumerId);
  const session = new DeliverySession(consumerId, 'job', performance.now());
  session.update(consumer, performance.now(), performance.now());
  const result = new TestSession(pipeline, consumer).result(deliveryOf(event), {
    retryInMs: 60_000,
    spendsAttempt: true,
  });
  return { session, result };
}

const runtimeOf = (consumerId: string) =>
  pipeline.db
    .selectFrom('consumer_runtime')
    .select(['session', 'session_open'])
    .where('consumer_id', '=', consumerId)
    .executeTakeFirstOrThrow();

/** Decides on one answer of a fetch. */
type Decide = (leaving: Leaving, facts: EndFacts) => boolean;
const decideAsWorker: Decide = (leaving, facts) => leaving.note(facts, 0);

/** Fetches for a session that was left. @returns null while its end is not decided */
async function look(
  over: Statements,
  { consumerId, session }: { readonly consumerId: string; readonly session: number },
  leaving: Leaving,
  decide: Decide,
): Promise<'stays' | 'ended' | null> {
  const request = {
    consumerId,
    session,
    wanted: 1,
    answers: true,
    marks: leaving.needsMark,
    inFlight: [],
  };
  const facts = (await fetchDeliveries(over, [request]))[0]?.consumer.end;
  if (facts == null) throw new Error('a fetch that has to answer did not');
  if (!decide(leaving, facts)) {
    await fetchDeliveries(over, [{ ...request, reopens: true }]);
    return 'stays';
  }
  return leaving.decided === null ? null : 'ended';
}

/**
 * Ends a session as a worker does: it leaves it, and fetches until the end is decided or something is due. Two fetches
 * are among the steps of the schedule; the others follow after it.
 */
async function end(
  over: Statements,
  consumerId: string,
  session: number,
  decide = decideAsWorker,
): Promise<() => Promise<'stays' | 'ended'>> {
  await leaveSessions(over, [leavingSession(consumerId, session)]);
  const leaving = new Leaving(0);
  const of = { consumerId, session };
  let state = (await look(over, of, leaving, decide)) ?? (await look(over, of, leaving, decide));
  return async () => {
    await waitUntil(async () => (state ??= await look(pipeline, of, leaving, decide)) !== null, {
      what: 'the accepts to end',
      everyMs: 5,
    });
    return state ?? 'stays';
  };
}

const leavingSession = (consumerId: string, session: number): LeavingSession => ({
  consumerId,
  session,
  nextSendInMs: null,
  succeededMsAgo: null,
  sent: [],
});

/** Runs an accept and the end of a session in every order. @returns who serves the accepted delivery afterwards */
async function acceptBesideEnd(decide?: Decide): Promise<Set<string>> {
  const served = new Set<string>();
  await everySchedule(async (schedule) => {
    const consumerId = await insertConsumer(pipeline.db);
    const { session } = (await TestSession.open(pipeline, consumerId)).consumer;
    const [accepted, decided] = await schedule.both(
      stepped.one.begin((_db, over) => acceptEvents(over, [statusFor(consumerId)], version)),
      stepped.two.begin((_db, over) => end(over, consumerId, session, decide)),
    );
    const ended = await decided();
    const hasJob = accepted.kind === 'accepted' && accepted.enqueue.includes(consumerId);
    served.add(hasJob ? 'job' : ended === 'stays' ? 'session' : 'none');
    expect((await runtimeOf(consumerId)).session_open).toBe(ended === 'stays');
  });
  return served;
}

describe('concurrent changes of a session', () => {
  it('every order of an accept and the end of a session leaves the delivery to the session or to a job', async () => {
    expect(await acceptBesideEnd()).toEqual(new Set(['job', 'session']));
  });

  it('an order loses the job of a delivery if a session ends without waiting for running accepts (planted fault)', async () => {
    const atOnce: Decide = (leaving, facts) =>
      leaving.note({ ...facts, oldestRunning: facts.mark ?? facts.oldestRunning }, 0);
    expect(await acceptBesideEnd(atOnce)).toContain('none');
  });

  it('every order of two accepts and the end of a session leaves both deliveries to the session or to a job', async () => {
    await everySchedule(async (schedule) => {
      const consumerId = await insertConsumer(pipeline.db);
      const { session } = (await TestSession.open(pipeline, consumerId)).consumer;
      const works = {
        accept: stepped.one.begin((_db, over) => acceptEvents(over, [statusFor(consumerId)], version)),
        another: stepped.two.begin((_db, over) => acceptEvents(over, [statusFor(consumerId)], version)),
        end: stepped.three.begin((_db, over) => end(over, consumerId, session)),
      };
      await schedule.run(works);
      const accepted = await Promise.all([works.accept.result, works.another.result]);
      const ended = await (await works.end.result)();
      const jobs = accepted.flatMap((answer) => (answer.kind === 'accepted' ? answer.enqueue : []));
      expect({ isServed: ended === 'stays' || jobs.includes(consumerId) }).toEqual({
        isServed: true,
      });
    }, 2);
  });

  it('every order of a record and the opening of another session either records the delivery or sends it again', async () => {
    const ends = new Set<string>();
    await everySchedule(async (schedule) => {
      const consumerId = await insertConsumer(pipeline.db);
      const event = statusFor(consumerId);
      await acceptStatuses(pipeline, event);
      const former = await TestSession.open(pipeline, consumerId);
      await former.fetch();
      const result = former.result(deliveryOf(event), { state: 'delivered' });
      const [recorded, opened] = await schedule.both(
        stepped.one.begin((_db, over) => recordAttempts(over, [result])),
        stepped.two.begin((_db, over) => open(over, consumerId)),
      );
      const isRecorded = !recorded.fenced.has(deliveryOf(event));
      expect({ isSentAgain: opened.deliveries.map(({ id }) => id) }).toEqual({
        isSentAgain: isRecorded ? [] : [deliveryOf(event)],
      });
      const attempts = await pipeline.db
        .selectFrom('attempts')
        .select('number')
        .where('delivery_id', '=', deliveryOf(event))
        .execute();
      expect({ attempts }).toEqual({ attempts: isRecorded ? [{ number: 1 }] : [] });
      ends.add(isRecorded ? 'recorded' : 'fenced');
    });
    expect(ends).toEqual(new Set(['fenced', 'recorded']));
  });

  it('every order of two openings gives different session numbers, and only the later session can record', async () => {
    await everySchedule(async (schedule) => {
      const consumerId = await insertConsumer(pipeline.db);
      const event = statusFor(consumerId);
      await acceptStatuses(pipeline, event);
      const opened = await schedule.both(
        stepped.one.begin((_db, over) => open(over, consumerId)),
        stepped.two.begin((_db, over) => open(over, consumerId)),
      );
      expect(new Set(opened.map(({ consumer }) => consumer.session))).toEqual(new Set([1, 2]));
      const recorded: number[] = [];
      for (const { consumer } of opened.toSorted((a, b) => a.consumer.session - b.consumer.session)) {
        const session = new TestSession(pipeline, consumer);
        if (await session.record(deliveryOf(event), { state: 'delivered' })) recorded.push(consumer.session);
      }
      expect({ recorded }).toEqual({ recorded: [2] });
    });
  });

  it('every order of the end of a session and the opening of the next one leaves the next one open', async () => {
    await everySchedule(async (schedule) => {
      const consumerId = await insertConsumer(pipeline.db);
      const { session } = (await TestSession.open(pipeline, consumerId)).consumer;
      await schedule.both(
        stepped.one.begin((_db, over) => leaveSessions(over, [leavingSession(consumerId, session)])),
        stepped.two.begin((_db, over) => open(over, consumerId)),
      );
      expect({ ...(await runtimeOf(consumerId)) }).toEqual({
        session: '2',
        session_open: true,
      });
    });
  });

  it('no order of an accept for two consumers and a record of failures of both ends in a deadlock', async () => {
    const report = { logger: createLogger({ level: 'silent', process: 'test' }), metrics: new Metrics() };
    await everySchedule(async (schedule) => {
      const consumerIds = [await insertConsumer(pipeline.db), await insertConsumer(pipeline.db)];
      const events = consumerIds.map((consumerId) => statusFor(consumerId));
      await acceptStatuses(pipeline, ...events);
      const attempts = await Promise.all(events.map((event) => underWay(event)));
      const accepting = stepped.one.begin((_db, over) =>
        acceptEvents(
          over,
          consumerIds.map((consumerId) => statusFor(consumerId)),
          version,
        ),
      );
      const recording = stepped.two.begin((_db, over) => {
        const recorder = new Recorder(new SessionStore(over), report.logger, report.metrics, {
          workerConcurrency: 1,
        });
        // In reverse order, as when the later request is answered first.
        return Promise.all(
          attempts.toReversed().map(({ session, result }) => recorder.record(session, result)),
        );
      });
      const [accepted, recorded] = await schedule.both(accepting, recording, async () => {
        const pendingStates = [await accepting.pendingState(), await recording.pendingState()];
        expect({ pendingStates }).not.toEqual({ pendingStates: ['blocked', 'blocked'] });
      });
      expect(accepted).toEqual({ kind: 'accepted', enqueue: [] });
      expect(recorded).toEqual([true, true]);
    });
  });
});
