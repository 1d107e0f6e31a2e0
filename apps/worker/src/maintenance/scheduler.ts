import { CONFIG, type Config } from '#libs/config';
import { SchedulesRepository, type ClaimedRun } from '#libs/database';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { BulkWork } from './bulk-work.js';
import { Expiry } from './expiry.js';
import { Housekeeping } from './housekeeping.js';
import { Pauses } from './pauses.js';
import { Reconcile } from './reconcile.js';
import type { ScheduledWork } from './scheduled-work.js';

/** How often a process asks what is due, … */
const TICK_MS = 1_000;
/** … and says that it is still at a run. */
const KEEP_MS = 3_000;
/** A worker that ended with the queue's outage counts as alive for so long, and what it served as served. */
const RECONCILE_AGAIN_MS = 6_000;

/**
 * Runs what recurs. What is due stands in PostgreSQL, where each run is claimed by one process; so it goes on while
 * Redis is away or emptied, which reconcile is there to put right.
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
    private readonly metrics: Metrics,
    private readonly schedules: SchedulesRepository,
    private readonly queue: DispatchQueue,
    private readonly reconcile: Reconcile,
    expiry: Expiry,
    bulkWork: BulkWork,
    pauses: Pauses,
    housekeeping: Housekeeping,
  ) {
    const works = [reconcile, expiry, bulkWork, pauses, ...housekeeping.works];
    this.works = new Map(works.map((work) => [work.name, work]));
    this.tickMs = Math.min(TICK_MS, config.reconcileIntervalMs);
  }

  /** Begins, and reconciles at once. */
  start(): void {
    this.stopped = false;
    this.queue.onReconnect(() => {
      this.reconcileNow();
      clearTimeout(this.again);
      this.again = setTimeout(() => this.reconcileNow(), RECONCILE_AGAIN_MS).unref();
    });
    this.reconcileNow();
  }

  /** Resolves when the runs under way, if any, have ended. */
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
      await this.schedules.hasten(this.reconcile.name);
    });
  }

  private tickSoon(first: () => Promise<void> = () => this.register()): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.ticking = this.ticking.then(() => this.tick(first));
  }

  /** Never rejects: what failed is tried again at the next tick. */
  private async tick(first: () => Promise<void>): Promise<void> {
    if (this.stopped) return;
    try {
      await first();
      const claimed = await this.schedules.claimDue([...this.works.keys()]);
      // Not awaited: a long run keeps the others from nothing.
      for (const run of claimed) this.follow(run);
    } catch (error) {
      this.metrics.internalFaults.inc({ step: 'schedule' });
      this.logger.warn(
        { fault: faultText(error) },
        'the schedules could not be read; the next tick tries again',
      );
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
        // Its claim lapses by itself.
        this.logger.warn(
          { schedule: claimed.name, fault: faultText(error) },
          'the end of a run was not written',
        );
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
      this.logger.warn(
        { schedule: work.name, fault: error },
        'a scheduled run failed; the next one tries again',
      );
    }
    clearInterval(keeping);
    end();
    this.metrics.scheduleRuns.inc({ schedule: work.name, result: error === null ? 'done' : 'failed' });
    await this.schedules.finish(claimed, { everyMs: work.everyMs, error });
  }
}
