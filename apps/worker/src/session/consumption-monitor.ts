import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import { pingDatabase, Pipeline } from '#libs/database';
import { LOGGER, Metrics, WorkerMetrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { FetchLoop } from './fetch-loop.js';
import { StallSymptoms, type StallSymptom } from './stall-symptoms.js';

const LOOK_EVERY_MS = 1_000;
/** As long as a pool waits for a connection: what is busy is not called silent. */
const ANSWER_WITHIN_MS = 3_000;

/** BullMQ's worker, as far as it says whether it takes jobs. */
export interface JobTaker {
  isPaused(): boolean;
  isRunning(): boolean;
  readonly closing?: unknown;
}

/**
 * Whether this worker consumes: not whether its parts are there, but whether deliveries go through. While fetches are
 * answered there is nothing to ask. When nothing moves, each second, the queue is asked what waits and PostgreSQL for a
 * sign of life; what lasts for too long (`StallSymptoms`) is a fault.
 */
@Injectable()
export class ConsumptionMonitor {
  private readonly symptoms = new StallSymptoms();
  private readonly ending = new AbortController();
  private worker: JobTaker | undefined;
  private seenProgress = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly pipeline: Pipeline,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queue: DispatchQueue,
    private readonly loop: FetchLoop,
    figures: WorkerMetrics,
    metrics: Metrics,
  ) {
    metrics.beforeScrape(() => {
      figures.slots.set(config.workerConcurrency);
      figures.slotsInUse.set(loop.inFlight);
      figures.sessions.set(loop.sessions.size);
      figures.consuming.set(this.fault() === null ? 1 : 0);
      return Promise.resolve();
    });
  }

  /** From now on it should consume. */
  start(worker: JobTaker): void {
    this.worker = worker;
    void this.keepLooking();
  }

  /** It shall consume no more. */
  stop(): void {
    this.ending.abort();
  }

  /** Why it does not consume, in words; null while it does. */
  fault(): string | null {
    const { worker } = this;
    if (worker === undefined) return 'it has not begun to consume';
    if (this.ending.signal.aborted) return 'it stops';
    if (worker.isPaused()) return 'its consumer is paused';
    if (!worker.isRunning() || worker.closing !== undefined) return 'it has stopped consuming';
    if (!this.queue.isReachable()) return 'the queue cannot be reached';
    return this.symptoms.fault(performance.now());
  }

  private async keepLooking(): Promise<void> {
    let before: string | null = null;
    while (!this.ending.signal.aborted) {
      this.symptoms.note(await this.look(), performance.now());
      const fault = this.symptoms.fault(performance.now());
      if (fault !== null && before === null) this.logger.error({ fault }, 'the worker does not consume');
      if (fault === null && before !== null) this.logger.warn({}, 'the worker consumes again');
      before = fault;
      await delay(LOOK_EVERY_MS, undefined, { ref: false, signal: this.ending.signal }).catch(
        () => undefined,
      );
    }
  }

  private async look(): Promise<ReadonlySet<StallSymptom>> {
    const { progress } = this.loop;
    const moves = progress !== this.seenProgress;
    this.seenProgress = progress;
    if (moves) return new Set();
    const [counts, silentDatabase] = await Promise.all([
      this.queue.counts(ANSWER_WITHIN_MS).catch(() => null),
      pingDatabase(this.pipeline.db, ANSWER_WITHIN_MS).then(
        () => false,
        () => true,
      ),
    ]);
    const found = new Set<StallSymptom>();
    if (counts === null) found.add('queue_silent');
    if (silentDatabase) found.add('database_silent');
    if (this.loop.progress !== progress) return found;
    const isFull = this.loop.inFlight >= this.config.workerConcurrency;
    if (isFull) found.add('ends_nothing');
    else if (counts !== null && counts.waiting > 0) found.add('fetches_nothing');
    return found;
  }
}
