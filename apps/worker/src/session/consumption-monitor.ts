import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import { pingDatabase, Pipeline } from '#libs/database';
import { LOGGER, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { FetchLoop } from './fetch-loop.js';
import { StallSymptoms, type StallSymptom } from './stall-symptoms.js';

const CHECK_EVERY_MS = 1_000;
/** As long as a pool waits for a connection, so that a busy server does not count as one that does not answer. */
const ANSWER_WITHIN_MS = 3_000;

/** The state of BullMQ's worker. */
export interface JobConsumer {
  isPaused(): boolean;
  isRunning(): boolean;
  readonly closing?: unknown;
}

/**
 * Checks whether this worker consumes jobs. While fetches are answered it does. Otherwise the queue is asked each second
 * which jobs wait, and PostgreSQL whether it answers; a symptom that lasts too long (`StallSymptoms`) is a fault.
 */
@Injectable()
export class ConsumptionMonitor {
  private readonly symptoms = new StallSymptoms();
  private readonly ending = new AbortController();
  private worker: JobConsumer | undefined;
  private seenProgress = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly pipeline: Pipeline,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queue: DispatchQueue,
    private readonly loop: FetchLoop,
  ) {}

  /** Starts the checks. */
  start(worker: JobConsumer): void {
    this.worker = worker;
    void this.keepChecking();
  }

  /** Ends the checks. */
  stop(): void {
    this.ending.abort();
  }

  /** Why the worker does not consume, as text for an operator; null while it does. */
  fault(): string | null {
    const { worker } = this;
    if (worker === undefined) return 'it has not started to consume';
    if (this.ending.signal.aborted) return 'it is stopping';
    if (worker.isPaused()) return 'its consumer is paused';
    if (!worker.isRunning() || worker.closing !== undefined) return 'it has stopped consuming';
    if (!this.queue.isReachable()) return 'the queue cannot be reached';
    return this.symptoms.fault(performance.now());
  }

  private async keepChecking(): Promise<void> {
    let before: string | null = null;
    while (!this.ending.signal.aborted) {
      this.symptoms.note(await this.check(), performance.now());
      const fault = this.symptoms.fault(performance.now());
      if (fault !== null && before === null) this.logger.error({ fault }, 'worker.not_consuming');
      if (fault === null && before !== null) this.logger.warn({}, 'worker.consuming');
      before = fault;
      await delay(CHECK_EVERY_MS, undefined, { ref: false, signal: this.ending.signal }).catch(
        () => undefined,
      );
    }
  }

  private async check(): Promise<ReadonlySet<StallSymptom>> {
    const { progress } = this.loop;
    const hasProgressed = progress !== this.seenProgress;
    this.seenProgress = progress;
    if (hasProgressed) return new Set();
    const [counts, isDatabaseSilent] = await Promise.all([
      this.queue.counts(ANSWER_WITHIN_MS).catch(() => null),
      pingDatabase(this.pipeline.db, ANSWER_WITHIN_MS).then(
        () => false,
        () => true,
      ),
    ]);
    const found = new Set<StallSymptom>();
    if (counts === null) found.add('queue_silent');
    if (isDatabaseSilent) found.add('database_silent');
    if (this.loop.progress !== progress) return found;
    const isFull = this.loop.inFlight >= this.config.workerConcurrency;
    if (isFull) found.add('ends_nothing');
    else if (counts !== null && counts.waiting > 0) found.add('fetches_nothing');
    return found;
  }
}
