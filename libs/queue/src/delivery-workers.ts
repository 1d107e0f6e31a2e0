import type { Worker } from 'bullmq';
import type { QueueBackend } from './queue-backend.js';

/** A process's consumers of the queue: one for each shard, which start, pause and end together. */
export class DeliveryWorkers {
  constructor(
    private readonly backend: QueueBackend,
    private readonly workers: readonly Worker[],
  ) {}

  /** @throws when the process must not start, since its consumers would never work */
  async ready(): Promise<void> {
    await Promise.all(this.workers.map((worker) => this.backend.ready(worker)));
  }

  /** Consumes until `close`; rejects when a shard is consumed no more. */
  async run(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.run()));
  }

  /** Whether jobs of every shard are fetched, or would be. */
  isRunning(): boolean {
    return this.workers.every((worker) => worker.isRunning() && worker.closing === undefined);
  }

  /** Whether a shard is left alone for the time being. */
  isPaused(): boolean {
    return this.workers.some((worker) => worker.isPaused());
  }

  /** Takes no more jobs; resolves when those under way have ended. One that is closed would connect again. */
  async pause(): Promise<void> {
    await Promise.all(
      this.workers.filter(({ closing }) => closing === undefined).map((worker) => worker.pause()),
    );
  }

  /** @param force without waiting for jobs under way */
  async close(force: boolean): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close(force)));
  }
}
