import { BULK_WORK, stepBulkAction, type BulkStepFailed, Database } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import type { ScheduledWork } from './scheduled-work.js';

const EVERY_MS = 5_000;
/** The deliveries of a step are locked, and a record of one of them waits, for some 10 ms. */
const BATCH = 200;

/** Executes the bulk actions, one batch of each in rotation. */
@Injectable()
export class BulkWork implements ScheduledWork {
  readonly name = BULK_WORK;
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DispatchQueue,
  ) {}

  /** A run is short, so that a stopping process need not wait; the next one is due at once. */
  async run(): Promise<void> {
    const startedAt = performance.now();
    while (performance.now() - startedAt < EVERY_MS) {
      const step = await stepBulkAction(this.db, BATCH);
      if (step === undefined) return;
      if (step.kind === 'failed') {
        this.failed(step);
        continue;
      }
      this.queue.enqueue(step.consumerIds);
      if (step.action === 'cancel') this.metrics.deliveriesFinished.inc({ state: 'cancelled' }, step.changed);
      if (step.isFinished) this.logger.info({ bulkActionId: step.id }, 'bulk_action.finished');
    }
  }

  private failed({ id, fault, hasEnded }: BulkStepFailed): void {
    this.metrics.internalFaults.inc({ step: 'bulk' });
    this.logger.warn(
      { bulkActionId: id, fault },
      // It ends after ten failures in a row.
      hasEnded ? 'bulk_action.failed' : 'bulk_action.step_failed',
    );
  }
}
