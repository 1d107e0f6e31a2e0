import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StallWatch } from './stall-watch.js';

describe('the stall watch', () => {
  let watch: StallWatch;
  beforeEach(() => {
    jest.useFakeTimers();
    watch = new StallWatch();
  });
  afterEach(() => {
    watch.onApplicationShutdown();
    jest.useRealTimers();
  });

  /** Time passes without any timer being served, as when the process is suspended. */
  const standStill = (ms: number): void => {
    jest.setSystemTime(Date.now() + ms);
    const from = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(from + ms);
  };

  it('sees no stall while its ticks come', () => {
    const since = performance.now();
    jest.advanceTimersByTime(60_000);
    expect(watch.stalledSince(since)).toBe(false);
  });

  it('sees one in what it lasted through, and not in what began after it', () => {
    const since = performance.now();
    jest.advanceTimersByTime(1_000);
    standStill(3_000);
    expect(watch.stalledSince(since)).toBe(true);
    expect(watch.stalledSince(performance.now() + 1)).toBe(false);
  });
});
