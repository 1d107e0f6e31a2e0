import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '#libs/observability';
import { ConsumptionMonitor } from './consumption-monitor.js';
import { DeliverySession } from '../session/session.js';

describe('a worker with free slots', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  let jobs: number;
  const loop = { progress: 0, inFlight: 0, sessions: new Set<DeliverySession>() };
  const sessions = { taken: 0 };

  /** @param next the job at the head of the queue at each check */
  function started(next: () => string | null): ConsumptionMonitor {
    const monitor = new ConsumptionMonitor(
      { workerConcurrency: 8 },
      createLogger({ level: 'silent', process: 'test' }),
      { nextWaiting: async () => next(), isReachable: () => true },
      loop,
      { isSilent: () => false, silentMs: () => 0 },
      sessions,
    );
    monitor.start({ isPaused: () => false, isRunning: () => true });
    return monitor;
  }
  const STALLED = expect.stringMatching(
    /^jobs wait and slots are free, but it has opened no session for \d+ s$/,
  );

  beforeEach(() => {
    jobs = 0;
    loop.sessions.add(new DeliverySession('a', 'job-a', 0));
  });

  it('is not ready after 10 s in which jobs waited and it took none, although other workers took some and its sessions go on', async () => {
    const monitor = started(() => {
      loop.progress += 1;
      return `job-${String((jobs += 1))}`;
    });
    await jest.advanceTimersByTimeAsync(8_000);
    expect(monitor.fault()).toBeNull();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(monitor.fault()).toEqual(STALLED);
    sessions.taken += 1;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(monitor.fault()).toBeNull();
    monitor.stop();
  });

  it('is not ready after 10 s in which one job stayed at the head of the queue, although it took others', async () => {
    const monitor = started(() => {
      sessions.taken += 1;
      return 'job-1';
    });
    await jest.advanceTimersByTimeAsync(11_000);
    expect(monitor.fault()).toEqual(STALLED);
    monitor.stop();
  });

  it('is ready while it takes jobs, and while none waits', async () => {
    const monitor = started(() => {
      jobs += 1;
      sessions.taken += jobs % 2;
      return jobs % 2 === 1 ? `job-${String(jobs)}` : null;
    });
    await jest.advanceTimersByTimeAsync(30_000);
    expect(monitor.fault()).toBeNull();
    monitor.stop();
  });
});
