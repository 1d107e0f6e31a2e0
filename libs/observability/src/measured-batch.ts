import type { Batch, Metrics } from './metrics.js';

/** Wraps a micro-batch's work to measure its size and duration. */
export const measured =
  <I, O>(
    metrics: Metrics,
    batch: Batch,
    run: (items: readonly I[]) => Promise<readonly O[]>,
  ): ((items: readonly I[]) => Promise<readonly O[]>) =>
  async (items) => {
    metrics.batchItems.observe({ batch }, items.length);
    const end = metrics.batchSeconds.startTimer({ batch });
    try {
      return await run(items);
    } finally {
      end();
    }
  };
