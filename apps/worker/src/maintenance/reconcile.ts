import { CONFIG, type Config } from '#libs/config';
import {
  cancelOfRemovedConsumers,
  mendSecretFaults,
  reportTransitions,
  wakeTimes,
  Database,
} from '#libs/database';
import { faultText, LOGGER, Metrics, type Logger, type ReconciledKind } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import type { CredentialCache } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { CREDENTIALS } from '../providers.js';
import type { ScheduledWork } from './scheduled-work.js';

/** What is due gets this long to be fetched before its consumer's job is taken for lost. */
const OVERDUE_MS = 5_000;
/** A timer is set this long before the next run, which may be late. */
const TIMER_SLACK_MS = 5_000;
/** What one call of the queue is given, so that others come between. */
const CHUNK = 200;

const CANCELLED_AT_ONCE = 2_000;
/** The next run goes on. */
const MOST_PAGES = 25;

/**
 * Brings the queue in line with PostgreSQL: when the process starts, whenever the queue is back, and at an interval; one
 * worker at a time. Adding what is there already changes nothing. It also does what nobody else comes back to.
 */
@Injectable()
export class Reconcile implements ScheduledWork {
  readonly name = 'reconcile';
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

  /** The steps are independent: one that fails does not prevent the others. */
  async run(): Promise<{ fault: string | null }> {
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      queue: () => this.addMissing(),
      secret: () => this.tryBrokenSecrets(),
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

  /** Jobs for consumers that are overdue and that nobody serves, timers for those that have something to do soon. */
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

  private async tryBrokenSecrets(): Promise<void> {
    const mended = await mendSecretFaults(this.db, (consumerId, version) =>
      this.credentials.get(consumerId, version),
    );
    reportTransitions({ logger: this.logger, metrics: this.metrics }, mended);
    this.count('secret', mended.length);
    this.queue.enqueue(mended.map(({ consumerId }) => consumerId));
  }

  private async cancelOfRemovedConsumers(): Promise<void> {
    for (let page = 0, cancelled = CANCELLED_AT_ONCE; page < MOST_PAGES && cancelled > 0; page += 1) {
      cancelled = await cancelOfRemovedConsumers(this.db, CANCELLED_AT_ONCE);
      this.metrics.deliveriesFinished.inc({ state: 'cancelled' }, cancelled);
      this.count('removed_consumer', cancelled);
    }
  }

  private count(kind: ReconciledKind, many: number): void {
    if (many === 0) return;
    this.metrics.reconciled.inc({ kind }, many);
    // Timers are set again at each run, as a matter of course.
    if (kind !== 'timer') this.logger.info({ kind, many }, 'reconciled');
  }
}

function chunksOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, index) =>
    all.slice(index * CHUNK, (index + 1) * CHUNK),
  );
}
