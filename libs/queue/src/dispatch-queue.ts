import { within } from '#libs/contracts';
import type { EventEmitter } from 'node:events';
import { faultText, type Logger, type Metrics } from '#libs/observability';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Queue, Worker } from 'bullmq';
import { CoalescedAdds } from './coalesced-adds.js';
import {
  deliverJob,
  dueJob,
  MOST_IN_BULK,
  type ConsumerTimer,
  type DeliveryJobData,
  type DeliveryJobName,
  type JobToAdd,
} from './delivery-jobs.js';
import type { QueueBackend } from './queue-backend.js';
import { QueueOutageLog } from './queue-outage-log.js';

/** A queue that does not answer for so long counts as away; waiting longer would hold up other work. */
const ANSWER_WITHIN_MS = 10_000;

/** What a stop waits for the queue to take what is under way; reconcile adds what it did not take. */
const FLUSH_WITHIN_MS = 2_000;

/** The queue did not take or tell what it was asked to; what should be in it lies in PostgreSQL and is added by reconcile. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
}

/** Jobs by what they wait for. */
export interface JobCounts {
  /** Sessions that no worker has opened yet. */
  readonly waiting: number;
  /** With a worker. */
  readonly active: number;
  /** Timers. */
  readonly delayed: number;
}

/** BullMQ's queue of this product. */
export type DeliveriesQueue = Queue<DeliveryJobData, void, DeliveryJobName>;

/** The queue: who has something to do is put in here, and taken out by the worker's consumer. */
export class DispatchQueue implements OnModuleInit, OnApplicationShutdown {
  /** Is given every fault of the queue's. */
  readonly trouble: QueueOutageLog;
  private readonly adds: CoalescedAdds;

  constructor(
    private readonly backend: QueueBackend,
    private readonly queue: DeliveriesQueue,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {
    this.trouble = new QueueOutageLog(logger, () => this.counts(ANSWER_WITHIN_MS));
    this.noteFaultsOf(queue);
    this.adds = new CoalescedAdds({
      add: (ids) => this.addConsumers(ids),
      leave: (ids, fault) => this.leave(ids, fault),
    });
  }

  /** @throws when the process must not start, since its queue would never work */
  async onModuleInit(): Promise<void> {
    await this.backend.ready(this.queue);
  }

  /** Runs after everybody else's, and before the queue's own. */
  async onApplicationShutdown(): Promise<void> {
    await this.flush();
    this.trouble.stop();
  }

  /**
   * Gives each consumer a job, behind the caller's back: to be called after the commit of what there is to do. What
   * cannot be added (Redis is unreachable) is not kept here: reconcile finds it in PostgreSQL.
   */
  enqueue(consumerIds: readonly string[]): void {
    this.adds.add(consumerIds);
  }

  /** Resolves when what is under way is in the queue or was left, after 2 s at most. */
  async flush(): Promise<void> {
    await this.adds.settled(FLUSH_WITHIN_MS);
  }

  /**
   * Gives each consumer a job, in bulk: at once where there is none, after the one that is active.
   * @throws QueueUnavailableError at once while Redis is unreachable, and when it does not answer in time; some may have been added
   */
  async addConsumers(consumerIds: readonly string[]): Promise<void> {
    await this.add([...new Set(consumerIds)].map(deliverJob), MOST_IN_BULK);
  }

  /**
   * Sets each consumer's one timer, a later or an earlier one notwithstanding. One that has come and waits for a worker
   * stays instead: it opens a session, whose end sets the next.
   * @throws QueueUnavailableError as `addConsumers` does
   */
  async addTimers(timers: readonly ConsumerTimer[]): Promise<void> {
    await this.add(timers.map(dueJob), this.backend.mostTimersInBulk);
  }

  /** Notes the faults of a worker that takes jobs out; without a listener they would end the process. */
  watch(worker: EventEmitter): void {
    this.noteFaultsOf(worker);
  }

  /** Resolves when the worker can run. @throws when the process must not start, since it would never work */
  async ready(worker: Pick<Worker, 'waitUntilReady'>): Promise<void> {
    await this.backend.ready(worker);
  }

  /** Whether a job could be put in now. */
  isReachable(): boolean {
    return this.backend.isReachable();
  }

  /** The server that the queue needs besides PostgreSQL; null where there is none. */
  get server(): 'redis' | null {
    return this.backend.server?.name ?? null;
  }

  /** @throws QueueUnavailableError while that server is unreachable, and when it does not answer in time */
  async ping(withinMs: number): Promise<void> {
    const { server } = this.backend;
    if (server !== null) await this.answered(() => server.ping(), withinMs);
  }

  /** How many jobs there are. @throws QueueUnavailableError when it does not answer within so many milliseconds */
  async counts(withinMs: number): Promise<JobCounts> {
    const counts = await this.answered(
      () => this.queue.getJobCounts('waiting', 'active', 'delayed'),
      withinMs,
    );
    const of = (state: string): number => counts[state] ?? 0;
    return { waiting: of('waiting'), active: of('active'), delayed: of('delayed') };
  }

  /** Calls back each time the queue can be reached again after it was lost. */
  onReconnect(listener: () => void): void {
    this.backend.onReconnect(listener);
  }

  /** In chunks, one after the other: a call is answered before the next is made. */
  private async add(jobs: readonly JobToAdd[], atOnce: number): Promise<void> {
    for (let at = 0; at < jobs.length; at += atOnce) {
      const chunk = jobs.slice(at, at + atOnce);
      await this.answered(() => this.queue.addBulk(chunk));
    }
  }

  private leave(consumerIds: readonly string[], error: unknown): void {
    this.metrics.enqueueFailures.inc(consumerIds.length);
    // The queue's trouble has its own line; in an outage these are as many as the requests.
    this.logger.debug(
      { consumers: consumerIds.length, firstConsumerId: consumerIds[0], fault: faultText(error) },
      'not enqueued; reconcile will',
    );
  }

  /** BullMQ repeats its connections' faults here; without a listener they would end the process. */
  private noteFaultsOf(part: EventEmitter): void {
    part.on('error', (error: Error) => this.trouble.noteFault(faultText(error)));
  }

  private async answered<T>(ask: () => Promise<T>, withinMs = ANSWER_WITHIN_MS): Promise<T> {
    if (!this.isReachable())
      throw new QueueUnavailableError(this.backend.server?.lastFault() ?? 'the queue is unreachable');
    const lateness = new QueueUnavailableError(`the queue did not answer within ${String(withinMs)} ms`);
    try {
      return await within(withinMs, ask(), () => {
        throw lateness;
      });
    } catch (error) {
      // A short patience also ends when this process was held up itself.
      if (error !== lateness || withinMs >= ANSWER_WITHIN_MS) this.trouble.noteFault(faultText(error));
      throw error === lateness ? error : new QueueUnavailableError(faultText(error), { cause: error });
    }
  }
}
