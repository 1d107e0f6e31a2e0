import type { Worker } from 'bullmq';
import type { QueueBackend } from './queue-backend.js';

/** A process's consumers of the queue: one for each shard, which start, pause and end together. */
export class DeliveryWorkers {
  /** @param onFault is told of the queue's trouble, which passes by itself */
  constructor(
    private readonly backend: QueueBackend,
    private readonly workers: readonly Worker[],
    onFault: (error: Error) => void,
  ) {
    for (const worker of workers) worker.on('error', onFault);
  }

  /** @throws when the process must not start, since its consumers would never work */
  async ready(): Promise<void> {
    await Promise.all(this.workers.map((worker) => this.backend.ready(worker)));
  }

  /** Consumes until `close`; rejects when a shard is consumed no more. */
  async run(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.run()));
  }

  /** Takes no more jobs; resolves when those under way have ended. */
  async pause(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.pause()));
  }

  /** @param force without waiting for jobs under way */
  async close(force: boolean): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close(force)));
  }
}
