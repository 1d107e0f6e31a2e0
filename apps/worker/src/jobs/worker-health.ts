import { CONFIG, type Config } from '#libs/config';
import { Metrics, Readiness, WorkerMetrics } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ConsumptionMonitor } from './consumption-monitor.js';
import { FetchLoop } from '../session/fetch-loop.js';

/** Reports through /metrics and /readyz whether this worker consumes, and how much of it is in use. */
@Injectable()
export class WorkerHealth {
  constructor(
    @Inject(CONFIG) { workerConcurrency }: Config,
    loop: FetchLoop,
    monitor: ConsumptionMonitor,
    figures: WorkerMetrics,
    metrics: Metrics,
    readiness: Readiness,
  ) {
    metrics.beforeScrape(() => {
      figures.slots.set(workerConcurrency);
      figures.slotsInUse.set(loop.inFlight);
      figures.sessions.set(loop.sessions.size);
      figures.consuming.set(monitor.fault() === null ? 1 : 0);
      return Promise.resolve();
    });
    readiness.register('worker', () => {
      const fault = monitor.fault();
      return fault === null ? Promise.resolve() : Promise.reject(new Error(fault));
    });
  }
}
