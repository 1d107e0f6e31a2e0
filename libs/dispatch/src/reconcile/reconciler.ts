import { CONFIG, type Config } from '#libs/config';
import {
  asTheOnlyOne,
  cancelOfRemovedConsumers,
  DATABASE,
  ensurePartitions,
  leasesRunOut,
  overdue,
  releaseOrphans,
  type Database,
  type DueDelivery,
} from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DeliveryQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';

/** A delivery that is due gets this long to be picked up before its job is taken for lost. */
const GRACE_MS = 5_000;
const PAGE = 2_000;
const MOST_PAGES = 25;
const PARTITIONS_EVERY_MS = 3_600_000;

/**
 * Brings the queue back in line with PostgreSQL, and PostgreSQL with itself: at boot, whenever Redis is back,
 * and at an interval; one worker at a time. Enqueueing again what has a job changes nothing.
 */
@Injectable()
export class Reconciler {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();
  private stopped = true;
  private partitionsCheckedAt = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DATABASE) private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DeliveryQueue,
  ) {}

  start(): void {
    this.stopped = false;
    this.queue.onReconnect(() => this.sweepNow());
    this.sweepNow();
  }

  /** Resolves when the sweep under way, if any, has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.sweeping;
  }

  private sweepNow(): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.sweeping = this.sweeping.then(() => this.sweepAndPlanNext());
  }

  private async sweepAndPlanNext(): Promise<void> {
    await this.sweep();
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.sweepNow(), this.config.reconcileIntervalMs);
  }

  /** Never rejects: what failed is tried again at the next sweep. */
  private async sweep(): Promise<void> {
    if (this.stopped) return;
    try {
      await asTheOnlyOne(this.db, 'reconciler', async () => {
        await this.step('lease', async () => this.enqueue('lease', await leasesRunOut(this.db, PAGE)));
        await this.step('overdue', () => this.enqueueOverdue());
        await this.step('order', async () => this.enqueue('order', await releaseOrphans(this.db, PAGE)));
        await this.step('removed_consumer', () => this.cancelOfRemovedConsumers());
        await this.step('partitions', () => this.checkPartitions());
      });
    } catch (error) {
      this.tell('lock', error);
    }
  }

  /** Each step stands alone: one that fails does not keep the others from their work. */
  private async step(name: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => this.tell(name, error));
  }

  private tell(step: string, error: unknown): void {
    this.metrics.internalFaults.inc({ step: 'reconcile' });
    const fault = error instanceof Error ? error.message : String(error);
    this.logger.warn({ step, fault }, 'a step of the sweep failed; the next sweep tries again');
  }

  private async cancelOfRemovedConsumers(): Promise<void> {
    for (
      let page = 0, cancelled = PAGE;
      page < MOST_PAGES && cancelled === PAGE && !this.stopped;
      page += 1
    ) {
      cancelled = await cancelOfRemovedConsumers(this.db, PAGE);
      this.count('removed_consumer', cancelled);
    }
  }

  private async enqueueOverdue(): Promise<void> {
    let after: DueDelivery | undefined;
    for (let page = 0; page < MOST_PAGES && !this.stopped; page += 1) {
      const due = await overdue(this.db, { graceMs: GRACE_MS, limit: PAGE, after });
      await this.enqueue('overdue', due);
      after = due.at(-1);
      if (due.length < PAGE) return;
    }
  }

  private async enqueue(kind: string, deliveries: readonly DueDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.queue.enqueue(deliveries);
    this.count(kind, deliveries.length);
  }

  private count(kind: string, deliveries: number): void {
    if (deliveries === 0) return;
    this.metrics.reconciled.inc({ kind }, deliveries);
    this.logger.info({ kind, deliveries }, 'reconciled');
  }

  private async checkPartitions(): Promise<void> {
    const now = new Date();
    if (now.getTime() - this.partitionsCheckedAt < PARTITIONS_EVERY_MS) return;
    const made = await ensurePartitions(this.db, now);
    this.partitionsCheckedAt = now.getTime();
    if (made.length > 0) this.logger.info({ partitions: made }, 'partitions made ahead');
  }
}
