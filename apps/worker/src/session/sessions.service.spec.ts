import { expect, it } from '@jest/globals';
import { createLogger } from '#libs/observability';
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

function start({ queueFails = false } = {}): Started {
  const opened: DeliverySession[] = [];
  const queued: string[] = [];
  const sessions = new Sessions(
    { workerConcurrency: 4 },
    LOGGER,
    {
      add: (session) => void opened.push(session),
      wakeUp: () =>
        opened.filter(({ endReason }) => endReason !== null).forEach((session) => session.close()),
    },
    { abandon: () => undefined },
    {
      addConsumers: async (ids) => {
        if (queueFails) throw new Error('Redis is unreachable');
        queued.push(...ids);
      },
      counts: async () => ({ waiting: 0 }),
    },
    { seenWithin: async () => [] },
  );
  return { sessions, opened, queued };
}

it('a worker keeps a job until its session ends, and adds no other job when nothing is due', async () => {
  const { sessions, opened, queued } = start();
  const job = sessions.run('a', 'job-1');
  expect(sessions.condition()).toMatchObject({ concurrency: 4, sessions: ['a'], sending: [] });
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
