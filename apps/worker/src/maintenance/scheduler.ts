import { CONFIG, type Config } from '#libs/config';
import { SchedulesRepository, type ClaimedRun } from '#libs/database';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { RECONCILE, type ScheduledWork } from './scheduled-work.js';

/** Injection token of all recurring work. */
export const SCHEDULED_WORK = Symbol('ScheduledWork');

/** How often a process looks for due runs. */
const TICK_MS = 1_000;
/** How often it extends its claim of a run. */
const KEEP_MS = 3_000;
/** A worker that ended during the outage of the queue counts as alive for this long, and its consumers as served. */
const RECONCILE_AGAIN_MS = 6_000;

/**
 * Runs the recurring work. PostgreSQL has the due times, and one process claims each run, so the work goes on while Redis is
 * down or has lost its data.
 */
@Injectable()
export class Scheduler {
  private readonly works: ReadonlyMap<string, ScheduledWork>;
  private readonly tickMs: number;
  private timer: NodeJS.Timeout | undefined;
  private again: NodeJS.Timeout | undefined;
  private ticking: Promise<void> = Promise.resolve();
  private readonly running = new Set<Promise<void>>();
  private stopped = true;
  private registered = false;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SCHEDULED_WORK) works: readonly ScheduledWork[],
    private readonly metrics: Metrics,
    private readonly schedules: SchedulesRepository,
    private readonly queue: DispatchQueue,
  ) {
    this.works = new Map(works.map((work) => [work.name, work]));
    this.tickMs = Math.min(TICK_MS, config.reconcileIntervalMs);
  }

  /** Starts, with reconcile at once. */
  start(): void {
    this.stopped = false;
    this.queue.onReconnect(() => {
      this.reconcileNow();
      clearTimeout(this.again);
      this.again = setTimeout(() => this.reconcileNow(), RECONCILE_AGAIN_MS).unref();
    });
    this.reconcileNow();
  }

  /** Resolves when the runs in progress have ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.again);
    await this.ticking;
    await Promise.all(this.running);
  }

  private reconcileNow(): void {
    this.tickSoon(async () => {
      await this.register();
      await this.schedules.hasten(RECONCILE);
    });
  }

  private tickSoon(first: () => Promise<void> = () => this.register()): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.ticking = this.ticking.then(() => this.tick(first));
  }

  /** Never rejects: the next tick tries again. */
  private async tick(first: () => Promise<void>): Promise<void> {
    if (this.stopped) return;
    try {
      await first();
      const claimed = await this.schedules.claimDue([...this.works.keys()]);
      // Not awaited: a long run must not delay the others.
      for (const run of claimed) this.follow(run);
    } catch (error) {
      this.metrics.internalFaults.inc({ step: 'schedule' });
      this.logger.warn({ fault: faultText(error) }, 'schedules.unreadable');
    }
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tickSoon(), this.tickMs);
  }

  private async register(): Promise<void> {
    if (this.registered) return;
    await this.schedules.register([...this.works.keys()]);
    this.registered = true;
  }

  private follow(claimed: ClaimedRun): void {
    const run = this.run(claimed)
      .catch((error: unknown) => {
        // The claim expires.
        this.logger.warn({ schedule: claimed.name, fault: faultText(error) }, 'schedule.end_not_written');
      })
      .finally(() => this.running.delete(run));
    this.running.add(run);
  }

  private async run(claimed: ClaimedRun): Promise<void> {
    const work = this.works.get(claimed.name);
    if (work === undefined) return;
    const end = this.metrics.scheduleSeconds.startTimer({ schedule: work.name });
    let error: string | null = null;
    const keeping = setInterval(() => void this.schedules.keep(claimed).catch(() => undefined), KEEP_MS);
    try {
      const result = await work.run(claimed);
      error = result?.fault ?? null;
    } catch (fault) {
      error = faultText(fault);
    }
    if (error !== null) {
      this.logger.warn({ schedule: work.name, fault: error }, 'schedule.run_failed');
    }
    clearInterval(keeping);
    end();
    this.metrics.scheduleRuns.inc({ schedule: work.name, result: error === null ? 'done' : 'failed' });
    await this.schedules.finish(claimed, { everyMs: work.everyMs, error });
  }
}
