import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import { LOGGER, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { FetchLoop } from './fetch-loop.js';
import { Intake } from './intake.js';
import { Sessions } from './sessions.service.js';
import { StallSymptoms, type StallSymptom } from './stall-symptoms.js';

const CHECK_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;

/** The state of BullMQ's worker. */
export interface JobConsumer {
  isPaused(): boolean;
  isRunning(): boolean;
  readonly closing?: unknown;
}

/**
 * Checks each second whether this worker consumes jobs. A symptom that lasts too long (`StallSymptoms`) is a fault. Answered
 * fetches alone prove nothing: sessions go on while the jobs of other consumers wait.
 */
@Injectable()
export class ConsumptionMonitor {
  private readonly symptoms = new StallSymptoms();
  private readonly ending = new AbortController();
  private worker: JobConsumer | undefined;
  private seenProgress = 0;
  private seenTaken = 0;
  /** The job that the queue gives out next, at the last check. */
  private seenNext: string | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queue: DispatchQueue,
    private readonly loop: FetchLoop,
    private readonly intake: Intake,
    private readonly sessions: Sessions,
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
    const nowMs = performance.now();
    if (this.intake.isSilent(nowMs))
      return (
        'it takes no jobs, since PostgreSQL has not answered on the connections that fetch and record ' +
        `for ${String(Math.round(this.intake.silentMs(nowMs) / 1_000))} s`
      );
    if (worker.isPaused()) return 'its consumer is paused';
    if (!worker.isRunning() || worker.closing !== undefined) return 'it has stopped consuming';
    if (!this.queue.isReachable()) return 'the queue cannot be reached';
    return this.symptoms.fault(nowMs);
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
    const { taken } = this.sessions;
    const hasTaken = taken !== this.seenTaken;
    this.seenTaken = taken;
    const found = new Set<StallSymptom>();
    const next = await this.queue.nextWaiting(ANSWER_WITHIN_MS).catch(() => undefined);
    if (next === undefined) found.add('queue_silent');
    const { workerConcurrency } = this.config;
    if (!hasProgressed && this.loop.inFlight >= workerConcurrency) found.add('ends_nothing');
    else if (
      next != null &&
      (next === this.seenNext || !hasTaken) &&
      this.loop.sessions.size < workerConcurrency
    )
      found.add('fetches_nothing');
    this.seenNext = next ?? null;
    return found;
  }
}
