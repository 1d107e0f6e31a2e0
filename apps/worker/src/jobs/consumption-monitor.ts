import { CONFIG, type Config } from '#libs/config';
import { LOGGER, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { FetchLoop } from '../session/fetch-loop.js';
import { Intake } from './intake.js';
import { Sessions } from '../session/sessions.service.js';
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
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;
  private isChecking = false;
  /** The fault at the last check. */
  private reported: string | null = null;
  private worker: JobConsumer | undefined;
  private seenProgress = 0;
  private seenTaken = 0;
  /** The job that the queue gives out next, at the last check. */
  private seenNext: string | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'workerConcurrency'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(DispatchQueue) private readonly queue: Pick<DispatchQueue, 'nextWaiting' | 'isReachable'>,
    @Inject(FetchLoop) private readonly loop: Pick<FetchLoop, 'progress' | 'inFlight' | 'sessions'>,
    @Inject(Intake) private readonly intake: Pick<Intake, 'isSilent' | 'silentMs'>,
    @Inject(Sessions) private readonly sessions: Pick<Sessions, 'taken'>,
  ) {}

  /** Starts the checks. */
  start(worker: JobConsumer): void {
    this.worker = worker;
    this.timer = setInterval(() => void this.look(), CHECK_EVERY_MS).unref();
  }

  /** Ends the checks. */
  stop(): void {
    this.isStopping = true;
    clearInterval(this.timer);
  }

  /** Why the worker does not consume, as text for an operator; null while it does. */
  fault(): string | null {
    const { worker } = this;
    if (worker === undefined) return 'it has not started to consume';
    if (this.isStopping) return 'it is stopping';
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

  /** Never rejects. One check at a time: the queue may need longer than a second to answer. */
  private async look(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    this.symptoms.note(await this.check(), performance.now());
    this.isChecking = false;
    const fault = this.symptoms.fault(performance.now());
    if (fault !== null && this.reported === null) this.logger.error({ fault }, 'worker.not_consuming');
    if (fault === null && this.reported !== null) this.logger.warn({}, 'worker.consuming');
    this.reported = fault;
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
