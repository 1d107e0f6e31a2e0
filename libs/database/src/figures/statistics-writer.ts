import { hostname } from 'node:os';
import { within } from '#libs/contracts';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { StatisticsCounters } from './statistics-counters.js';
import { StatisticsRepository } from './statistics.repository.js';
import { WorkersRepository, type WorkerCondition } from './workers.repository.js';

/** Interval of the writes and of a worker's heartbeat; a crash loses the statistics of this time. */
const EVERY_MS = 2_000;
/** A stop waits for PostgreSQL no longer; the heartbeat of a worker that has ended expires. */
const STOP_WITHIN_MS = 2_000;

/**
 * Writes the counts of this process and the heartbeat of a worker every two seconds, outside the transactions of
 * accept and record (docs/adr/0024-observability.md). Neither waits for the other: without a heartbeat the worker counts
 * as dead, which a refused or slow write of statistics must not cause.
 */
@Injectable()
export class StatisticsWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly counters = new StatisticsCounters();
  /** Unique for each start of a process, so no other process writes its rows. */
  private readonly processId = uuidv7();
  private condition: (() => WorkerCondition) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private beating: Promise<void> = Promise.resolve();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly statistics: StatisticsRepository,
    private readonly workers: WorkersRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.writing = this.writing.then(() => this.write());
      this.beatNext();
    }, EVERY_MS);
    this.timer.unref();
  }

  /** Starts the heartbeat of a worker, when it begins to consume. */
  workerStarts(condition: () => WorkerCondition): void {
    this.condition = condition;
    this.beatNext();
  }

  /** Ends the heartbeat of a worker that has stopped. */
  async workerStops(): Promise<void> {
    this.condition = undefined;
    const removed = this.beating.then(() => this.workers.remove(this.processId)).catch(() => undefined);
    await within(STOP_WITHIN_MS, removed);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    const written = Promise.all([this.writing, this.beating]).then(() => this.write());
    await within(STOP_WITHIN_MS, written);
  }

  private beatNext(): void {
    this.beating = this.beating.then(() => this.beat());
  }

  /** Never rejects: the next one follows in two seconds. */
  private async beat(): Promise<void> {
    if (this.condition === undefined) return;
    try {
      const condition = this.condition();
      await this.workers.beat({ id: this.processId, host: hostname(), pid: process.pid, ...condition });
    } catch (error) {
      this.failed(error, 'heartbeat.write_failed');
    }
  }

  /** Never rejects: the next write includes the counts of a failed one. */
  private async write(): Promise<void> {
    await this.counters
      .flush((rows) => this.statistics.write(this.processId, rows))
      .catch((error: unknown) => this.failed(error, 'statistics.write_failed'));
  }

  private failed(error: unknown, event: 'heartbeat.write_failed' | 'statistics.write_failed'): void {
    this.metrics.internalFaults.inc({ step: 'statistics' });
    this.logger.warn({ fault: faultText(error) }, event);
  }
}
