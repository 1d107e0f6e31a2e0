import { Injectable } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { Metrics } from './metrics.js';

const OF_CONSUMER = ['consumer_id', 'consumer', 'health'];

/** Maximum number of consumers with their own series, the worst first. */
export const MOST_CONSUMERS_WITH_SERIES = 20;

/**
 * Metrics of the whole installation: every api exports the same values, so queries use `max`, never `sum`. An unknown value has
 * no series.
 */
@Injectable()
export class InstallationMetrics {
  private readonly forgets: (() => void)[] = [];
  readonly pendingDeliveries = this.gauge(
    'dispatcher_pending_deliveries',
    'Backlog: deliveries that are not finished, held ones by reason; counted up to 100,000 together.',
    ['state', 'reason'],
  );
  readonly oldestDueAge = this.gauge(
    'dispatcher_oldest_due_age_seconds',
    'Seconds since the most overdue delivery was due; for held ones, since the first was held; 0 while sending.',
    ['state', 'reason'],
  );
  readonly circuits = this.gauge('dispatcher_circuits', 'Consumers, by state of their circuit.', ['state']);
  readonly consumers = this.gauge('dispatcher_consumers', 'Consumers, by their state of health.', ['health']);
  readonly deadNotSettled = this.gauge(
    'dispatcher_dead_deliveries_not_settled',
    'Dead deliveries that were not replayed, cancelled or settled.',
  );
  readonly unhealthyPending = this.gauge(
    'dispatcher_unhealthy_consumer_pending_deliveries',
    'Backlog of the 20 consumers with the worst health.',
    OF_CONSUMER,
  );
  readonly unhealthyOldestDueAge = this.gauge(
    'dispatcher_unhealthy_consumer_oldest_due_age_seconds',
    'Seconds since the most overdue delivery of these consumers was due.',
    OF_CONSUMER,
  );
  readonly queueJobs = this.gauge(
    'dispatcher_queue_jobs',
    'Jobs in BullMQ: consumers that wait for a worker, those that workers deliver to, timers.',
    ['state'],
  );
  readonly consumersWithoutJob = this.gauge(
    'dispatcher_consumers_without_job',
    'Consumers with a delivery due for 5 s and without a job; a lower bound.',
  );
  readonly workersAlive = this.gauge(
    'dispatcher_workers_alive',
    'Workers that have reported in the last 6 s.',
  );
  readonly sendingPaused = this.gauge(
    'dispatcher_sending_paused',
    '1 while an operator has paused sending to all consumers.',
  );
  readonly unrouted = this.gauge(
    'dispatcher_unrouted_events',
    'Events of the last 90 days without a consumer that are not marked as seen; counted up to 10,000.',
  );
  readonly issues = this.gauge('dispatcher_issues', 'Health issues that are not resolved.', ['kind']);
  readonly partUp = this.metrics.gauge(
    'dispatcher_part_up',
    'Whether PostgreSQL and Redis answer this api.',
    ['part'],
  );

  constructor(private readonly metrics: Metrics) {
    this.forget();
  }

  /** Removes all values except those of `partUp`. */
  forget(): void {
    for (const forget of this.forgets) forget();
  }

  private gauge<L extends string>(name: string, help: string, labelNames: L[] = []): Gauge<L> {
    const gauge = this.metrics.gauge(name, help, labelNames);
    // `reset` would make a gauge without labels 0.
    this.forgets.push(() => (labelNames.length === 0 ? gauge.remove() : gauge.reset()));
    return gauge;
  }
}
