import { reportTransitions, resumeExpiredPauses, Database } from '#libs/database';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import type { ScheduledWork } from './scheduled-work.js';

/** PostgreSQL has the ends of pauses; a worker that is running reads them this often. */
const EVERY_MS = 2_000;

/** Resumes consumers whose pause has reached its planned end. */
@Injectable()
export class Pauses implements ScheduledWork {
  readonly name = 'pauses';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DispatchQueue,
  ) {}

  async run(): Promise<{ fault: string | null }> {
    const { resumed, refused } = await resumeExpiredPauses(this.db);
    reportTransitions({ logger: this.logger, metrics: this.metrics }, resumed);
    this.queue.enqueue(resumed.map(({ consumerId }) => consumerId));
    for (const { consumerId, error } of refused) {
      this.metrics.internalFaults.inc({ step: 'resume' });
      this.logger.warn({ consumerId, fault: faultText(error) }, 'consumer.not_resumed');
    }
    return { fault: refused.length === 0 ? null : notResumed(refused.length) };
  }
}

const notResumed = (count: number): string =>
  `${String(count)} ${count === 1 ? 'consumer' : 'consumers'} could not be resumed; see consumer.not_resumed in the log`;
