import { workerOptions, type DeliveryJobData } from '#libs/queue';
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable, type Type } from '@nestjs/common';
import type { Job } from 'bullmq';
import { DeliveryJobs } from './delivery-jobs.js';

/** Consumes one shard; `DeliveryConsumers` starts and stops it. */
@Injectable()
export abstract class ShardConsumer extends WorkerHost {
  constructor(private readonly jobs: DeliveryJobs) {
    super();
  }

  /** @throws as `DeliveryJobs` does */
  process({ data }: Job<DeliveryJobData>): Promise<void> {
    return this.jobs.process(data);
  }
}

/** The consumer of the queue with this name: a class of its own, since its class is what names a processor's queue. */
export function shardConsumer(name: string, shards: number): Type<ShardConsumer> {
  @Processor(name, workerOptions(shards))
  class Consumer extends ShardConsumer {}
  return Consumer;
}
