import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import { LOGGER, type Logger } from '#libs/observability';
import {
  DELIVERIES_QUEUE,
  DispatchQueue,
  workerOptions,
  type DeliveryJobData,
  type DeliveryJobName,
} from '#libs/queue';
import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Sessions } from '../session/sessions.service.js';

/** Processes the queue's jobs: each is the right to deliver to one consumer, or a timer that has fired. */
@Injectable()
@Processor(DELIVERIES_QUEUE, workerOptions(1))
export class DeliveryProcessor extends WorkerHost {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly sessions: Sessions,
    private readonly queue: DispatchQueue,
  ) {
    super();
  }

  /** Starts to consume as many jobs at a time as the configuration allows. */
  async start(): Promise<void> {
    const { worker } = this;
    worker.concurrency = this.config.workerConcurrency;
    this.queue.watch(worker);
    await this.queue.ready(worker);
    void worker
      .run()
      .catch((error: unknown) => this.logger.error({ fault: String(error) }, 'worker.consumption_failed'));
  }

  /** Resolves when the jobs of a paused worker have ended and the queue knows it, or after `withinMs`. */
  async ended(withinMs: number): Promise<void> {
    const deadlineMs = performance.now() + withinMs;
    // BullMQ offers no promise for this that survives a pause and does not wait for a connection that is down.
    while (this.worker.isRunning() && performance.now() < deadlineMs) await delay(10);
  }

  /** Resolves when the session has ended. Rejects with an internal error only; the job is then processed again. */
  async process({ id, name, data, processedOn }: Job<DeliveryJobData, void, DeliveryJobName>): Promise<void> {
    switch (name) {
      case 'deliver':
        // Both times are of this process's clock.
        return this.sessions.run(data.consumerId, id ?? '', Math.max(0, Date.now() - (processedOn ?? 0)));
      case 'due':
        // A worker should open a session.
        return this.queue.addConsumers([data.consumerId]);
    }
  }

  @OnWorkerEvent('locksRenewed')
  locksRenewed({ jobIds }: { readonly jobIds: readonly string[] }): void {
    this.sessions.locksRenewed(jobIds);
  }

  @OnWorkerEvent('lockRenewalFailed')
  locksLost(jobIds: string[]): void {
    this.sessions.locksLost(jobIds);
  }
}
