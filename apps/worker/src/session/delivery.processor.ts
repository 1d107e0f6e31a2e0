import {
  DELIVERIES_QUEUE,
  DispatchQueue,
  workerOptions,
  type DeliveryJobData,
  type DeliveryJobName,
} from '#libs/queue';
import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Sessions } from './sessions.service.js';

/** Takes jobs out of the queue: each is the right to deliver to one consumer, or a timer that has come. */
@Injectable()
// How many at a time is set when the process starts.
@Processor(DELIVERIES_QUEUE, workerOptions(1))
export class DeliveryProcessor extends WorkerHost {
  constructor(
    private readonly sessions: Sessions,
    private readonly queue: DispatchQueue,
  ) {
    super();
  }

  /** Resolves when the session has ended. Only a fault of ours rejects, and the job is then handed out again. */
  async process({ id, name, data }: Job<DeliveryJobData, void, DeliveryJobName>): Promise<void> {
    switch (name) {
      case 'deliver':
        return this.sessions.run(data.consumerId, id ?? '');
      case 'due':
        return this.queue.addConsumers([data.consumerId]);
    }
  }

  @OnWorkerEvent('lockRenewalFailed')
  locksLost(jobIds: string[]): void {
    this.sessions.locksLost(jobIds);
  }
}
