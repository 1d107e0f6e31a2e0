import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '#libs/observability';
import { fetchedDelivery } from '#test/support/open-session';
import type { EndReason } from './end-reason.js';
import type { DeliverySession } from './session.js';
import { Sessions } from './sessions.service.js';

const LOGGER = createLogger({ level: 'silent', process: 'test' });

interface Started {
  readonly sessions: Sessions;
  /** The sessions that the loop was given, which end when their reason is set and the loop is woken. */
  readonly opened: DeliverySession[];
  /** Consumers for which jobs were added. */
  readonly queued: string[];
}

interface Given {
  readonly queueFails?: boolean;
  /** The heartbeats of all live workers. */
  readonly workers?: readonly { readonly lasting: number }[];
  /** Called when the worker reads them. */
  readonly onSeen?: () => unknown;
  /** Ends sessions for this reason after they were asked to end. */
  readonly endsBy?: EndReason | undefined;
}

function start({ queueFails = false, workers = [], onSeen, endsBy }: Given = {}): Started {
  const opened: DeliverySession[] = [];
  const queued: string[] = [];
  const sessions = new Sessions(
    { workerConcurrency: 8 },
    LOGGER,
    {
      add: (session) => void opened.push(session),
      drop: (session) => session.close(),
      wakeUp: () =>
        opened
          .filter(({ endReason }) => endReason !== null)
          .forEach((session) => {
            if (endsBy !== undefined) session.stop(endsBy);
            session.close();
          }),
      sending: [],
      listen: () => undefined,
      drained: () => Promise.resolve(),
    },
    { abandon: () => undefined },
    {
      addConsumers: async (ids) => {
        if (queueFails) throw new Error('Redis is unreachable');
        queued.push(...ids);
      },
      onHint: () => () => false,
      counts: async () => ({ waiting: 0 }),
    },
    {
      seenWithin: async () => {
        onSeen?.();
        return workers;
      },
    },
  );
  return { sessions, opened, queued };
}

it('a worker keeps a job until its session ends, and adds no other job when nothing is due', async () => {
  const { sessions, opened, queued } = start();
  const job = sessions.run('a', 'job-1');
  expect(sessions.condition()).toMatchObject({ concurrency: 8, sessions: ['a'], sending: [] });
  opened[0]?.close();
  await job;
  expect(sessions.condition().sessions).toEqual([]);
  expect(queued).toEqual([]);
});

it('a worker adds a job for the consumer of a session whose lock was lost', async () => {
  const { sessions, opened, queued } = start();
  const jobs = [sessions.run('a', 'job-1'), sessions.run('b', 'job-2')];
  sessions.locksLost(['job-1']);
  await jobs[0];
  expect(opened.map(({ endReason }) => endReason)).toEqual(['lock_lost', null]);
  expect(queued).toEqual(['a']);
});

it('a worker ends the former session of a consumer before it begins a second job of the consumer', async () => {
  const { sessions, opened } = start();
  void sessions.run('a', 'job-1');
  void sessions.run('a', 'job-2');
  expect(opened).toHaveLength(1);
  await opened[0]?.ended;
  await Promise.resolve();
  expect(opened.map(({ jobId, endReason }) => [jobId, endReason])).toEqual([
    ['job-1', 'lock_lost'],
    ['job-2', null],
  ]);
});

it('a worker that stops adds the jobs of its consumers again, and begins no session afterwards', async () => {
  const { sessions, opened, queued } = start();
  const jobs = [sessions.run('a', 'job-1'), sessions.run('b', 'job-2')];
  await sessions.stop();
  await Promise.all(jobs);
  await sessions.run('c', 'job-3');
  expect(queued).toEqual(['a', 'b', 'c']);
  expect(opened).toHaveLength(2);
});

it('a worker stops although the queue is unreachable', async () => {
  const { sessions } = start({ queueFails: true });
  const job = sessions.run('a', 'job-1');
  await sessions.stop();
  await expect(job).resolves.toBeUndefined();
});

describe('a worker with more than its share of the sessions', () => {
  interface Course {
    /** Another reason that ends the sessions while their last deliveries are in flight. */
    readonly endsBy?: EndReason;
    /** The first session ends while the worker reads what the others have. */
    readonly endsFirst?: boolean;
  }

  /** Six sessions while another live worker has none: three are too many. */
  async function yieldSessions({ endsBy, endsFirst = false }: Course = {}): Promise<
    Started & { jobs: Promise<void>[] }
  > {
    let looks = 0;
    const started = start({
      endsBy,
      // The sessions have lasted for a turn at the sixth look; five looks with the same result follow.
      onSeen: () => (looks += 1) === 10 && endsFirst && started.opened[0]?.close(),
      workers: [{ lasting: 6 }, { lasting: 0 }],
    });
    const jobs = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => started.sessions.run(id, `job-${id}`));
    started.sessions.start();
    while (started.opened[1]?.endReason === null) await jest.advanceTimersByTimeAsync(100);
    return { ...started, jobs };
  }

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('adds the job of each consumer that it yields a moment later, since it would get that job itself', async () => {
    const { sessions, jobs, queued } = await yieldSessions();
    await Promise.all(jobs.slice(0, 3));
    expect(queued).toEqual([]);
    await jest.advanceTimersByTimeAsync(5);
    expect([queued, sessions.condition().sessions]).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ]);
  });

  it('adds the jobs of the consumers that it has yielded when it stops', async () => {
    const { sessions, jobs, queued } = await yieldSessions();
    await Promise.all(jobs.slice(0, 3));
    await sessions.stop();
    expect(queued).toEqual(['d', 'e', 'f', 'a', 'b', 'c']);
  });

  it('adds one job for a yielded consumer that was given two, also when it stops before', async () => {
    const { sessions, jobs, queued } = await yieldSessions();
    await Promise.all(jobs.slice(0, 3));
    await sessions.run('a', 'job-2');
    await jest.advanceTimersByTimeAsync(250);
    expect(queued).toEqual(['a', 'b', 'c']);
    await sessions.run('a', 'job-3');
    await sessions.run('a', 'job-4');
    await sessions.stop();
    expect(queued).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'a']);
  });

  it('yields no more until the yielded sessions can have lasted on the other worker', async () => {
    const { sessions, jobs } = await yieldSessions();
    await Promise.all(jobs.slice(0, 3));
    for (const id of ['g', 'h', 'i']) void sessions.run(id, `job-${id}`);
    // The other worker reports none still, since it counts only sessions that have lasted for five seconds.
    await jest.advanceTimersByTimeAsync(11_000);
    expect(sessions.condition().sessions).toEqual(['d', 'e', 'f', 'g', 'h', 'i']);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(sessions.condition().sessions).toEqual(['g', 'h', 'i']);
  });

  it('gives back jobs of a yielded consumer for a second, and then serves it again', async () => {
    const { sessions, opened, jobs, queued } = await yieldSessions();
    await Promise.all(jobs.slice(0, 3));
    let jobsOfA = 0;
    const addedA = (): number => queued.filter((id) => id === 'a').length;
    for (let passedMs = 0; passedMs < 1_000; passedMs += 5) {
      await jest.advanceTimersByTimeAsync(5);
      if (addedA() > jobsOfA) await sessions.run('a', `job-${String((jobsOfA = addedA()))}`);
    }
    // 5, 10, 20 ms and so on: the other worker may have no free slot.
    expect([jobsOfA, opened.length]).toEqual([8, 6]);
    await jest.advanceTimersByTimeAsync(250);
    void sessions.run('a', 'job-9');
    expect(opened.length).toBe(7);
  });

  it('serves a consumer again whose session lost its lock while it was yielded', async () => {
    const { sessions, opened, jobs, queued } = await yieldSessions({ endsBy: 'fenced' });
    await Promise.all(jobs.slice(0, 3));
    void sessions.run('a', 'job-2');
    await jest.advanceTimersByTimeAsync(0);
    expect([queued, opened.at(-1)?.jobId]).toEqual([['a', 'b', 'c'], 'job-2']);
  });

  it('serves a consumer again whose session ended without work before it was yielded', async () => {
    const { sessions, opened, queued } = await yieldSessions({ endsFirst: true });
    void sessions.run('a', 'job-2');
    await jest.advanceTimersByTimeAsync(5);
    expect([queued, opened.at(-1)?.jobId]).toEqual([['b'], 'job-2']);
  });
});

describe('a worker that PostgreSQL does not answer', () => {
  it('ends sessions that were not confirmed for 6 s, with their deliveries in flight, and adds their jobs', async () => {
    const { sessions, opened, queued } = start();
    const jobs = [sessions.run('a', 'job-1'), sessions.run('b', 'job-2')];
    const nowMs = performance.now();
    for (const session of opened) {
      session.number = 1;
      void session.begin(fetchedDelivery(`of ${session.consumerId}`), nowMs);
    }
    opened[1]?.confirm(nowMs + 3_000);
    sessions.endUnconfirmed(nowMs + 5_900, true);
    expect(sessions.condition().sessions).toEqual(['a', 'b']);
    sessions.endUnconfirmed(nowMs + 6_100, true);
    await jobs[0];
    expect([sessions.condition().sessions, queued]).toEqual([['b'], ['a']]);
    expect(() => opened[0]?.goesOnTheWire('x', nowMs)).toThrow('nothing was sent');
  });

  it('ends sessions that are not open yet at once, and gives back each further job', async () => {
    const { sessions, opened, queued } = start();
    const job = sessions.run('a', 'job-1');
    sessions.takeJobs(false);
    sessions.endUnconfirmed(performance.now(), true);
    await job;
    await sessions.run('b', 'job-2');
    expect([queued, opened.length]).toEqual([['a', 'b'], 1]);
  });
});
