import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '#libs/observability';
import { Intake } from './intake.js';

const LOGGER = createLogger({ level: 'silent', process: 'test' });

describe('Intake', () => {
  /** What the worker and the sessions were asked to do, in order. */
  let calls: string[];
  let answers: boolean;
  let fetches: { answeredAtMs: number; askingSinceMs: number | null };
  let wasSuspended: boolean;
  let ended: { nowMs: number; isSilent: boolean }[];
  let intake: Intake;

  beforeEach(() => {
    jest.useFakeTimers();
    [calls, answers, wasSuspended, ended] = [[], true, false, []];
    fetches = { answeredAtMs: Number.NEGATIVE_INFINITY, askingSinceMs: null };
    intake = new Intake(
      { ping: async () => (answers ? undefined : Promise.reject(new Error('no answer'))) },
      LOGGER,
      fetches,
      {
        takeJobs: (takesJobs) => void calls.push(takesJobs ? 'take jobs' : 'give back jobs'),
        endUnconfirmed: (nowMs, isSilent) => void ended.push({ nowMs, isSilent }),
      },
      { stalledSince: () => wasSuspended },
    );
    intake.start({
      pause: async () => void calls.push('pause'),
      resume: async () => void calls.push('resume'),
      isRunning: () => true,
    });
  });
  afterEach(() => {
    intake.stop();
    jest.useRealTimers();
  });

  it('a worker takes jobs while PostgreSQL answers pings, without any fetch', async () => {
    await jest.advanceTimersByTimeAsync(60_000);
    expect(calls).toEqual([]);
    expect(intake.isSilent(performance.now())).toBe(false);
  });

  it('a worker takes no jobs when PostgreSQL has not answered for 4 s, and again when it answers for 1.5 s', async () => {
    answers = false;
    await jest.advanceTimersByTimeAsync(3_900);
    expect(calls).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(calls).toEqual(['give back jobs', 'pause']);
    expect(intake.isSilent(performance.now())).toBe(true);
    expect(ended.at(-1)?.isSilent).toBe(true);
    answers = true;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(calls).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(calls).toEqual(['give back jobs', 'pause', 'take jobs', 'resume']);
  });

  it('a worker takes no jobs while its fetch is not answered, although pings are', async () => {
    fetches.askingSinceMs = performance.now();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(calls).toEqual(['give back jobs', 'pause']);
    fetches.askingSinceMs = null;
    await jest.advanceTimersByTimeAsync(3_000);
    expect(calls.slice(2)).toEqual(['take jobs', 'resume']);
  });

  it('a worker that was suspended reads the answers first, and ends no session before', async () => {
    answers = false;
    wasSuspended = true;
    await jest.advanceTimersByTimeAsync(20_000);
    expect([calls, ended]).toEqual([[], []]);
  });

  it('a stopping worker pauses and resumes nothing, and still ends sessions that PostgreSQL does not confirm', async () => {
    intake.close();
    answers = false;
    await jest.advanceTimersByTimeAsync(7_000);
    expect(calls.filter((call) => call === 'pause' || call === 'resume')).toEqual([]);
    expect(ended.at(-1)?.isSilent).toBe(true);
  });
});
