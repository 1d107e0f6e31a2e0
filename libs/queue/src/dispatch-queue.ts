import { within } from '#libs/contracts';
import type { EventEmitter } from 'node:events';
import { faultText, type Logger, type Metrics } from '#libs/observability';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Queue, Worker } from 'bullmq';
import { CoalescedAdds } from './coalesced-adds.js';
import {
  deliverJob,
  dueJob,
  MAX_JOBS_PER_CALL,
  type ConsumerTimer,
  type DeliveryJobData,
  type DeliveryJobName,
  type JobToAdd,
} from './delivery-jobs.js';
import type { QueueBackend } from './queue-backend.js';
import { QueueOutageLog } from './queue-outage-log.js';

/** A queue that does not answer for this long counts as unreachable; waiting longer would delay other work. */
const ANSWER_WITHIN_MS = 10_000;

/** Maximum wait of a stop for the adds in progress; reconcile adds what is missing. */
const FLUSH_WITHIN_MS = 2_000;

/** A call of the queue failed or was not answered. Reconcile adds the missing jobs from PostgreSQL. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
}

/** Number of jobs by state. */
export interface JobCounts {
  /** Sessions that no worker has opened yet. */
  readonly waiting: number;
  /** Jobs that a worker processes. */
  readonly active: number;
  /** Timers that have not fired. */
  readonly delayed: number;
}

/** BullMQ's queue with this product's jobs. */
export type DeliveriesQueue = Queue<DeliveryJobData, void, DeliveryJobName>;

/** The queue: adds jobs and timers for consumers with work. The worker's `DeliveryProcessor` consumes them. */
export class DispatchQueue implements OnModuleInit, OnApplicationShutdown {
  /** Receives every fault of the queue and logs outages. */
  readonly outages: QueueOutageLog;
  private readonly adds: CoalescedAdds;

  constructor(
    private readonly backend: QueueBackend,
    private readonly queue: DeliveriesQueue,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {
    this.outages = new QueueOutageLog(logger, () => this.counts(ANSWER_WITHIN_MS));
    this.noteFaultsOf(queue);
    this.adds = new CoalescedAdds({
      add: (ids) => this.addConsumers(ids),
      leave: (ids, fault) => this.leave(ids, fault),
    });
  }

  /** @throws when the queue would never work, so that the process must not start */
  async onModuleInit(): Promise<void> {
    await this.backend.ready(this.queue);
  }

  /** Runs after the shutdown of all other modules, and before BullMQ's queue closes. */
  async onApplicationShutdown(): Promise<void> {
    await this.flush();
    this.outages.stop();
  }

  /**
   * Adds a job for each consumer in the background. Call it after the commit of the work. Jobs that cannot be added
   * (Redis is unreachable) are not kept here: reconcile finds the consumers in PostgreSQL.
   */
  enqueue(consumerIds: readonly string[]): void {
    this.adds.add(consumerIds);
  }

  /**
   * Informs the workers that deliveries of these consumers are due now, so that an open session need not wait for its next
   * poll. A hint: it can be lost, and only the queue on Redis has it.
   */
  hint(consumerIds: readonly string[]): void {
    if (consumerIds.length > 0) this.backend.messages?.publish([...new Set(consumerIds)].join());
  }

  /** @returns whether hints arrive at present */
  onHint(listener: (consumerIds: readonly string[]) => void): () => boolean {
    return this.backend.messages?.listen((text) => listener(text.split(','))) ?? (() => false);
  }

  /** Resolves when the adds in progress have succeeded or failed, after at most 2 s. */
  async flush(): Promise<void> {
    await this.adds.settled(FLUSH_WITHIN_MS);
  }

  /**
   * Adds a job for each consumer, unless one waits already. A job that is active ends before the new one begins.
   * @throws QueueUnavailableError at once while Redis is unreachable, or after an error or timeout; some may be added
   */
  async addConsumers(consumerIds: readonly string[]): Promise<void> {
    await this.add([...new Set(consumerIds)].map(deliverJob), MAX_JOBS_PER_CALL);
  }

  /**
   * Sets each consumer's only timer, replacing an earlier or later one. A timer that has fired and waits for a worker
   * stays instead: it opens a session, and the end of the session sets the next timer.
   * @throws QueueUnavailableError like `addConsumers`
   */
  async addTimers(timers: readonly ConsumerTimer[]): Promise<void> {
    await this.add(timers.map(dueJob), this.backend.maxTimersPerCall);
  }

  /** Logs the faults of BullMQ's worker. */
  watch(worker: EventEmitter): void {
    this.noteFaultsOf(worker);
  }

  /** Resolves when the worker can run. @throws when it would never work, so that the process must not start */
  async ready(worker: Pick<Worker, 'waitUntilReady'>): Promise<void> {
    await this.backend.ready(worker);
  }

  /** Whether a job could be added now. */
  isReachable(): boolean {
    return this.backend.isReachable();
  }

  /** The server that the queue needs in addition to PostgreSQL; null if none. */
  get server(): 'redis' | null {
    return this.backend.server?.name ?? null;
  }

  /** @throws QueueUnavailableError when the server that `server` names is unreachable or does not answer in time */
  async ping(withinMs: number): Promise<void> {
    const { server } = this.backend;
    if (server !== null) await this.answered(() => server.ping(), withinMs);
  }

  /** Counts the jobs. @throws QueueUnavailableError when the queue does not answer within `withinMs` */
  async counts(withinMs: number): Promise<JobCounts> {
    const counts = await this.answered(
      () => this.queue.getJobCounts('waiting', 'active', 'delayed'),
      withinMs,
    );
    const of = (state: string): number => counts[state] ?? 0;
    return { waiting: of('waiting'), active: of('active'), delayed: of('delayed') };
  }

  /** Returns the id of the job that the queue gives out next; null if none waits. @throws like `counts` */
  async nextWaiting(withinMs: number): Promise<string | null> {
    const [next] = await this.answered(() => this.queue.getJobs(['waiting'], 0, 0, true), withinMs);
    return next?.id ?? null;
  }

  /** Calls the listener each time the connection is back after it was lost. */
  onReconnect(listener: () => void): void {
    this.backend.onReconnect(listener);
  }

  /** Adds jobs in chunks, each after the answer to the former one. */
  private async add(jobs: readonly JobToAdd[], atOnce: number): Promise<void> {
    for (let at = 0; at < jobs.length; at += atOnce) {
      const chunk = jobs.slice(at, at + atOnce);
      await this.answered(() => this.queue.addBulk(chunk));
    }
  }

  private leave(consumerIds: readonly string[], error: unknown): void {
    this.metrics.enqueueFailures.inc(consumerIds.length);
    // At debug level: an outage has its own line, and these lines are as many as the requests.
    this.logger.debug(
      { consumers: consumerIds.length, firstConsumerId: consumerIds[0], fault: faultText(error) },
      'queue.add_failed',
    );
  }

  /** BullMQ emits the faults of its connections on its queue and worker; without a listener it prints them. */
  private noteFaultsOf(part: EventEmitter): void {
    part.on('error', (error: Error) => this.outages.noteFault(faultText(error)));
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
      // A short timeout can also pass because this process was blocked itself.
      if (error !== lateness || withinMs >= ANSWER_WITHIN_MS) this.outages.noteFault(faultText(error));
      throw error === lateness ? error : new QueueUnavailableError(faultText(error), { cause: error });
    }
  }
}
