import { hostname } from 'node:os';
import { within } from '#libs/contracts';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { StatisticsRepository } from './statistics.repository.js';
import { StatisticsCounters } from './statistics-counters.js';
import { WorkersRepository, type WorkerCondition } from './workers.repository.js';

/** Interval of the writes and of a worker's heartbeat; a crash loses the statistics of this time. */
const EVERY_MS = 2_000;
/** A stop waits for PostgreSQL no longer; the heartbeat of a worker that has ended expires. */
const STOP_WITHIN_MS = 2_000;

/**
 * Writes the counts of this process and the heartbeat of a worker every two seconds, outside the transactions of
 * accept and record (docs/adr/0024-observability.md).
 */
@Injectable()
export class StatisticsWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly counters = new StatisticsCounters();
  /** Unique for each start of a process, so no other process writes its rows. */
  private readonly processId = uuidv7();
  private condition: (() => WorkerCondition) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly statistics: StatisticsRepository,
    private readonly workers: WorkersRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.writing = this.writing.then(() => this.write());
    }, EVERY_MS);
    this.timer.unref();
  }

  /** Starts the heartbeat of a worker, when it begins to consume. */
  workerStarts(condition: () => WorkerCondition): void {
    this.condition = condition;
    this.writing = this.writing.then(() => this.write());
  }

  /** Ends the heartbeat of a worker that has stopped. */
  async workerStops(): Promise<void> {
    this.condition = undefined;
    const removed = this.writing.then(() => this.workers.remove(this.processId)).catch(() => undefined);
    await within(STOP_WITHIN_MS, removed);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await within(
      STOP_WITHIN_MS,
      this.writing.then(() => this.write()),
    );
  }

  /** Never rejects: the next write includes the counts of a failed one. */
  private async write(): Promise<void> {
    try {
      await this.counters.flush((rows) => this.statistics.write(this.processId, rows));
      if (this.condition !== undefined) {
        await this.workers.beat({
          id: this.processId,
          host: hostname(),
          pid: process.pid,
          ...this.condition(),
        });
      }
    } catch (error) {
      this.metrics.internalFaults.inc({ step: 'statistics' });
      const fault = faultText(error);
      this.logger.warn({ fault }, 'statistics.write_failed');
    }
  }
}
