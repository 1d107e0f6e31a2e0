import { hostname } from 'node:os';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { StatisticsRepository } from './statistics.repository.js';
import { StatisticsCounters } from './statistics-counters.js';
import { WorkersRepository, type WorkerCondition } from './workers.repository.js';

/** What a crash loses of the statistics at most, and how often a worker says that it lives. */
const EVERY_MS = 2_000;

/**
 * Writes what this process has counted, and of a worker that it lives: every two seconds, never in the transactions that
 * accept and record (docs/adr/0024-observability.md).
 */
@Injectable()
export class StatisticsWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly counters = new StatisticsCounters();
  /** Unique to this start of the process: no other process writes its rows. */
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

  /** This process is a worker and begins to consume. */
  workerStarts(condition: () => WorkerCondition): void {
    this.condition = condition;
    this.writing = this.writing.then(() => this.write());
  }

  /** The worker consumes no more, in good order. */
  async workerStops(): Promise<void> {
    this.condition = undefined;
    await this.writing;
    await this.workers.remove(this.processId).catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    await this.write();
  }

  /** Never rejects: the next time writes what this one could not. */
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
