import { BULK_WORK, stepBulkAction, type BulkStepFailed, Database } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import type { ScheduledWork } from './scheduled-work.js';

const EVERY_MS = 5_000;
/** Its deliveries are locked meanwhile, and a record of one of them waits: a few hundredths of a second. */
const BATCH = 200;

/** Carries out the bulk actions, a batch of each in turn. */
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

  /** A run ends in good time for a process that stops; the next one, due at once, goes on. */
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
      if (step.isFinished) this.logger.info({ bulkActionId: step.id }, 'a bulk action has finished');
    }
  }

  private failed({ id, fault, hasEnded }: BulkStepFailed): void {
    this.metrics.internalFaults.inc({ step: 'bulk' });
    this.logger.warn(
      { bulkActionId: id, fault },
      hasEnded
        ? 'a bulk action has failed ten times in a row and has ended'
        : 'a step of a bulk action failed; it is tried again later',
    );
  }
}
