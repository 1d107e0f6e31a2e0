import { CONFIG, type Config } from '#libs/config';
import {
  type ClaimedRun,
  ConsumerAlertsRepository,
  dropOldPartitions,
  ensurePartitions,
  IssuesRepository,
  StatisticsRepository,
  trimIdempotencyKeys,
  trimPayments,
  WorkersRepository,
  Database,
} from '#libs/database';
import { LOGGER, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { ScheduledWork } from './scheduled-work.js';

const HOUR_MS = 3_600_000;
/** Every event writes an idempotency key: 200,000 in a run are 57 million a day. */
const RETENTION_MS = 300_000;
const PAGE = 5_000;
/** Of a table in a run: a worker that stops waits for the run. */
const MOST_PAGES = 40;

/** Creates partitions ahead of time and removes data after its retention. */
@Injectable()
export class Housekeeping {
  readonly works: readonly ScheduledWork[] = [
    { name: 'partitions', everyMs: HOUR_MS, run: (run) => this.makePartitions(run) },
    { name: 'retention', everyMs: RETENTION_MS, run: (run) => this.retain(run) },
  ];

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly db: Database,
    private readonly issues: IssuesRepository,
    private readonly alerts: ConsumerAlertsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly statistics: StatisticsRepository,
    private readonly workers: WorkersRepository,
  ) {}

  private async makePartitions({ claimedAt }: ClaimedRun): Promise<void> {
    const made = await ensurePartitions(this.db, claimedAt);
    if (made.length > 0) this.logger.info({ partitions: made }, 'partitions.created');
  }

  /** By PostgreSQL's clock: a worker whose clock is ahead would remove what has to be kept. */
  private async retain({ claimedAt: now }: ClaimedRun): Promise<void> {
    const days = this.config.retentionDays;
    const dropped = await dropOldPartitions(this.db, now, days);
    if (dropped.length > 0) this.logger.info({ partitions: dropped }, 'partitions.dropped');
    await inPages('idempotency_keys', (limit) => trimIdempotencyKeys(this.db, now, limit), this.logger);
    await inPages('payments', (limit) => trimPayments(this.db, now, days, limit), this.logger);
    await inPages('statistics', (limit) => this.statistics.trim(days, limit), this.logger);
    await inPages('health_issues', (limit) => this.issues.trim(days, limit), this.logger);
    await inPages('consumer_alerts', (limit) => this.alerts.trim(days, limit), this.logger);
    await this.workers.trim();
  }
}

/** Removes rows in short statements, so that no transaction waits long; the next run continues. */
async function inPages(
  table: string,
  trim: (limit: number) => Promise<number>,
  logger: Logger,
): Promise<void> {
  let total = 0;
  for (let page = 0, trimmed = PAGE; page < MOST_PAGES && trimmed === PAGE; page += 1) {
    trimmed = await trim(PAGE);
    total += trimmed;
  }
  if (total > 0) logger.info({ table, rows: total }, 'rows.removed');
}
