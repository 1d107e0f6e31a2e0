import { CONFIG, type Config } from '#libs/config';
import {
  cancelOfRemovedConsumers,
  clearSecretFaults,
  reportTransitions,
  wakeTimes,
  Database,
} from '#libs/database';
import { faultText, LOGGER, Metrics, type Logger, type ReconciledKind } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import type { CredentialCache } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { CREDENTIALS } from '../providers.js';
import { RECONCILE, type ScheduledWork } from './scheduled-work.js';

/** A consumer whose deliveries are due for this long without a fetch has lost its job. */
const OVERDUE_MS = 5_000;
/** Timers are set for what is due before the next run, and this much later, since that run may be late. */
const TIMER_SLACK_MS = 5_000;
/** Jobs per call, so that the queue serves other calls in between. */
const CHUNK = 200;

/** Deliveries per statement. */
const CANCELLED_AT_ONCE = 2_000;
/** The next run continues. */
const MOST_PAGES = 25;

/**
 * Adds the jobs and timers that the queue should have according to PostgreSQL: when the process starts, when the queue is
 * reachable again, and at an interval; in one worker at a time. Adding an existing job changes nothing. It also retries
 * credentials that could not be decrypted, and cancels the deliveries of removed consumers.
 */
@Injectable()
export class Reconcile implements ScheduledWork {
  readonly name = RECONCILE;
  readonly everyMs: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    private readonly metrics: Metrics,
    private readonly queue: DispatchQueue,
  ) {
    this.everyMs = config.reconcileIntervalMs;
  }

  /** The steps are independent: a failed one does not prevent the others. */
  async run(): Promise<{ fault: string | null }> {
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      queue: () => this.addMissing(),
      secret: () => this.retrySecrets(),
      removed_consumer: () => this.cancelOfRemovedConsumers(),
    };
    const faults: string[] = [];
    for (const [step, work] of Object.entries(steps)) {
      await work().catch((error: unknown) => {
        this.metrics.internalFaults.inc({ step: 'reconcile' });
        faults.push(`${step}: ${faultText(error)}`);
      });
    }
    return { fault: faults.length === 0 ? null : faults.join('; ') };
  }

  /** Adds jobs for overdue consumers without a session, and timers for consumers with work before the next run. */
  private async addMissing(): Promise<void> {
    const withinMs = this.everyMs + TIMER_SLACK_MS;
    const wakes = await wakeTimes(this.db, { overdueMs: OVERDUE_MS, withinMs });
    const overdue = wakes.filter(({ inMs }) => inMs <= 0).map(({ consumerId }) => consumerId);
    for (const chunk of chunksOf(overdue)) {
      await this.queue.addConsumers(chunk);
      this.count('overdue', chunk.length);
    }
    for (const chunk of chunksOf(wakes.filter(({ inMs }) => inMs > 0))) {
      await this.queue.addTimers(chunk);
      this.count('timer', chunk.length);
    }
  }

  private async retrySecrets(): Promise<void> {
    const restored = await clearSecretFaults(this.db, (consumerId, version) =>
      this.credentials.get(consumerId, version),
    );
    reportTransitions({ logger: this.logger, metrics: this.metrics }, restored);
    this.count('secret', restored.length);
    this.queue.enqueue(restored.map(({ consumerId }) => consumerId));
  }

  private async cancelOfRemovedConsumers(): Promise<void> {
    for (let page = 0, cancelled = CANCELLED_AT_ONCE; page < MOST_PAGES && cancelled > 0; page += 1) {
      cancelled = await cancelOfRemovedConsumers(this.db, CANCELLED_AT_ONCE);
      this.metrics.deliveriesFinished.inc({ state: 'cancelled' }, cancelled);
      this.count('removed_consumer', cancelled);
    }
  }

  private count(kind: ReconciledKind, count: number): void {
    if (count === 0) return;
    this.metrics.reconciled.inc({ kind }, count);
    // Each run sets the timers again.
    if (kind !== 'timer') this.logger.info({ kind, count }, 'jobs.reconciled');
  }
}

function chunksOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, index) =>
    all.slice(index * CHUNK, (index + 1) * CHUNK),
  );
}
