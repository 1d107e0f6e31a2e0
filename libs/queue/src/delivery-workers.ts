import { Worker } from 'bullmq';
import type { DeliveryJobData } from './delivery-job.js';
import type { QueueBackend } from './queue-backend.js';
import { workerOptions } from './worker-options.js';

/** A process's consumers of the queue: one for each shard, which start, pause and end together. */
export class DeliveryWorkers {
  private readonly workers: readonly Worker<DeliveryJobData>[];

  /**
   * @param process does a job; throws `ComeBackLater` for the same job again later, anything else is a fault of ours
   * @param onFault is told of the queue's trouble, which passes by itself
   */
  constructor(
    private readonly backend: QueueBackend,
    process: (data: DeliveryJobData) => Promise<void>,
    onFault: (error: Error) => void,
  ) {
    const options = workerOptions(backend.shards.length);
    this.workers = backend.shards.map((shard) => {
      const worker = new Worker<DeliveryJobData>(shard.name, ({ data }) => process(data), {
        ...options,
        ...shard.options,
      });
      worker.on('error', onFault);
      return worker;
    });
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
