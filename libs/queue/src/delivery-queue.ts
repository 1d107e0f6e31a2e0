import type { EventEmitter } from 'node:events';
import { MOST_DELIVERY_SHARDS } from '#libs/config';
import { faultText, type Logger, type Tracing } from '#libs/observability';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Queue, type Worker } from 'bullmq';
import type { DeliveryJobData, DeliveryToEnqueue } from './delivery-job.js';
import { DeliveryWorkers } from './delivery-workers.js';
import { firstTrace, jobsFor, tracedJobsFor } from './jobs-for.js';
import type { QueueBackend } from './queue-backend.js';
import { QueueTrouble } from './queue-trouble.js';
import { markOf, shardOf, shardsInMark } from './shards.js';

/** A queue that does not answer for so long is as good as away; whoever waited would keep others from their work. */
const ANSWER_WITHIN_MS = 10_000;

/** The backend cannot be reached; what should have been enqueued lies in PostgreSQL and is picked up later. */
export class QueueAwayError extends Error {
  override readonly name = 'QueueAwayError';
}

/** Jobs by what they wait for. */
export interface JobCounts {
  /** Due, and not taken yet. */
  readonly waiting: number;
  /** With a worker. */
  readonly active: number;
  /** Due later. */
  readonly delayed: number;
}

/** The queue as the story sees it: put deliveries in. Taking them out is the worker's consumers. */
export class DeliveryQueue implements OnModuleInit, OnApplicationShutdown {
  /** Is given every fault of the queue's. */
  readonly trouble: QueueTrouble;

  constructor(
    private readonly backend: QueueBackend,
    private readonly queues: readonly Queue<DeliveryJobData>[],
    private readonly tracing: Tracing,
    logger: Logger,
  ) {
    this.trouble = new QueueTrouble(logger, () => this.counts(ANSWER_WITHIN_MS));
    for (const queue of queues) this.noteFaultsOf(queue);
  }

  /** @throws when the process must not start, since its queue would never work */
  async onModuleInit(): Promise<void> {
    await Promise.all(this.queues.map((queue) => this.backend.ready(queue)));
  }

  onApplicationShutdown(): void {
    this.trouble.stop();
  }

  /** What takes deliveries out, over connections of its own. */
  together(workers: readonly Worker[]): DeliveryWorkers {
    for (const worker of workers) this.noteFaultsOf(worker);
    return new DeliveryWorkers(this.backend, workers);
  }

  /** How many queues the deliveries are spread over. */
  get shards(): number {
    return this.queues.length;
  }

  /** The number of the shard that this consumer's deliveries go through, from 0. */
  shardOf(consumerId: string): number {
    return shardOf(consumerId, this.shards);
  }

  /** Whether a job could be put in now. */
  isReachable(): boolean {
    return this.backend.isReachable();
  }

  /** The server that the queue needs besides PostgreSQL; null where there is none. */
  get server(): 'redis' | null {
    return this.backend.server?.name ?? null;
  }

  /** @throws QueueAwayError while that server is away, and when it does not answer in time */
  async ping(withinMs: number): Promise<void> {
    const { server } = this.backend;
    if (server !== null) await this.answered(() => server.ping(), withinMs);
  }

  /**
   * Gives each delivery a job, in one call; those that are due now share jobs. A job that is there already stays.
   * @throws QueueAwayError at once while Redis is away, and when it does not answer in time
   */
  async enqueue(deliveries: readonly DeliveryToEnqueue[]): Promise<void> {
    const ofShards = Map.groupBy(deliveries, ({ consumerId }) => this.shardOf(consumerId));
    const added = await Promise.allSettled(
      [...ofShards].map(([shard, ofShard]) => this.answered(() => this.add(shard, ofShard))),
    );
    for (const { reason } of added.filter((one) => one.status === 'rejected')) throw reason;
  }

  /**
   * The shards that do not hold what the queue was given when it was marked so: one that was emptied or replaced has no
   * mark, or another, and if there were more or fewer of them then, every consumer's may have been another one.
   */
  async shardsWithout(mark: string | null): Promise<ReadonlySet<number>> {
    const { marker, shards } = this.backend;
    if (mark === null || shardsInMark(mark) !== shards.length) return new Set(shards.keys());
    if (marker === null) return new Set();
    const marks = await this.answered(() => Promise.all(shards.map((shard) => marker.read(shard))));
    return new Set([...marks.entries()].flatMap(([shard, found]) => (found === mark ? [] : [shard])));
  }

  /** Marks every shard. @returns the mark, by which `shardsWithout` knows them again */
  async mark(word: string): Promise<string> {
    const { marker, shards } = this.backend;
    const mark = markOf(word, shards.length);
    if (marker !== null)
      await this.answered(() => Promise.all(shards.map((shard) => marker.write(shard, mark))));
    return mark;
  }

  /**
   * Removes the queues that were left when there were more shards or fewer: whatever was in them is in ours, or is found to
   * lack a job. On PostgreSQL their rows stay, and are of no consequence. @returns their names
   */
  async forgetFormerShards(): Promise<readonly string[]> {
    const { marker, shards, shardsIfThereWere } = this.backend;
    if (marker === null) return [];
    const own = new Set(shards.map(({ name }) => name));
    const others = [...shardsIfThereWere(1), ...shardsIfThereWere(MOST_DELIVERY_SHARDS)].filter(
      ({ name }) => !own.has(name),
    );
    const areLeft = await this.answered(() => Promise.all(others.map((shard) => marker.isLeftOver(shard))));
    const former = others.filter((_, index) => areLeft[index]);
    for (const shard of former) {
      const queue = new Queue(shard.name, shard.options);
      this.noteFaultsOf(queue);
      try {
        await this.answered(() => queue.obliterate({ force: true }));
        await this.answered(() => marker.remove(shard));
      } finally {
        await queue.close();
      }
    }
    return former.map(({ name }) => name);
  }

  /**
   * How many jobs there are. @throws QueueAwayError when it does not answer within so many milliseconds
   */
  async counts(withinMs: number): Promise<JobCounts> {
    const ofShards = await this.answered(
      () => Promise.all(this.queues.map((queue) => queue.getJobCounts('waiting', 'active', 'delayed'))),
      withinMs,
    );
    const sum = (state: string): number => ofShards.reduce((all, counts) => all + (counts[state] ?? 0), 0);
    return { waiting: sum('waiting'), active: sum('active'), delayed: sum('delayed') };
  }

  onReconnect(listener: () => void): void {
    this.backend.onReconnect(listener);
  }

  /** What Bull Board looks through at the engine, shard by shard; it can change nothing. */
  engineViews(): BullMQAdapter[] {
    return this.queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true }));
  }

  private async add(shard: number, deliveries: readonly DeliveryToEnqueue[]): Promise<void> {
    const queue = this.queues[shard];
    if (!this.tracing.isOn) await queue?.addBulk(jobsFor(deliveries));
    else await this.tracing.within(firstTrace(deliveries), () => queue?.addBulk(tracedJobsFor(deliveries)));
  }

  /** BullMQ repeats its connections' faults here; without a listener they would end the process. */
  private noteFaultsOf(part: EventEmitter): void {
    part.on('error', (error: Error) => this.trouble.noteFault(faultText(error)));
  }

  private async answered<T>(ask: () => Promise<T>, withinMs = ANSWER_WITHIN_MS): Promise<T> {
    if (!this.isReachable())
      throw new QueueAwayError(this.backend.server?.lastFault() ?? 'the queue is away');
    const lateness = new QueueAwayError(`the queue did not answer within ${String(withinMs)} ms`);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(lateness), withinMs).unref();
    try {
      return await Promise.race([ask(), late.promise]);
    } catch (error) {
      // A short patience also ends when this process was held up itself.
      if (error !== lateness || withinMs >= ANSWER_WITHIN_MS) this.trouble.noteFault(faultText(error));
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
