import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** Maximum number of consumers with their own series, the worst first. */
export const MOST_CONSUMERS_WITH_SERIES = 20;

/**
 * Metrics of the whole installation: every api exports the same values, so queries use `max`, never `sum`. An unknown value has
 * no series.
 */
@Injectable()
export class InstallationMetrics {
  readonly pendingDeliveries;
  readonly oldestDueAge;
  readonly circuits;
  readonly consumers;
  readonly deadNotSettled;
  readonly unhealthyPending;
  readonly unhealthyOldestDueAge;
  readonly queueJobs;
  readonly consumersWithoutJob;
  readonly workersAlive;
  readonly sendingPaused;
  readonly unrouted;
  readonly issues;
  readonly partUp;

  constructor(metrics: Metrics) {
    this.pendingDeliveries = metrics.gauge(
      'dispatcher_pending_deliveries',
      'Backlog: deliveries that are not finished, held ones by reason; counted up to 100,000 together.',
      ['state', 'reason'],
    );
    this.oldestDueAge = metrics.gauge(
      'dispatcher_oldest_due_age_seconds',
      'Seconds since the most overdue delivery was due; for held ones, since the first was held; 0 while sending.',
      ['state', 'reason'],
    );
    this.circuits = metrics.gauge('dispatcher_circuits', 'Consumers, by state of their circuit.', ['state']);
    this.consumers = metrics.gauge('dispatcher_consumers', 'Consumers, by their state of health.', [
      'health',
    ]);
    this.deadNotSettled = metrics.gauge(
      'dispatcher_dead_deliveries_not_settled',
      'Dead deliveries that were not replayed, cancelled or settled.',
    );
    const OF_CONSUMER = ['consumer_id', 'consumer', 'health'];
    this.unhealthyPending = metrics.gauge(
      'dispatcher_unhealthy_consumer_pending_deliveries',
      'Backlog of the 20 consumers with the worst health.',
      OF_CONSUMER,
    );
    this.unhealthyOldestDueAge = metrics.gauge(
      'dispatcher_unhealthy_consumer_oldest_due_age_seconds',
      'Seconds since the most overdue delivery of these consumers was due.',
      OF_CONSUMER,
    );
    this.queueJobs = metrics.gauge(
      'dispatcher_queue_jobs',
      'Jobs in BullMQ: consumers that wait for a worker, those that workers deliver to, timers.',
      ['state'],
    );
    this.consumersWithoutJob = metrics.gauge(
      'dispatcher_consumers_without_job',
      'Consumers with a delivery due for 5 s and without a job; a lower bound.',
    );
    this.workersAlive = metrics.gauge(
      'dispatcher_workers_alive',
      'Workers that have reported in the last 6 s.',
    );
    this.sendingPaused = metrics.gauge(
      'dispatcher_sending_paused',
      '1 while an operator has paused sending to all consumers.',
    );
    this.unrouted = metrics.gauge(
      'dispatcher_unrouted_events',
      'Events of the last 90 days without a consumer, also after an operator; counted up to 10,000.',
    );
    this.issues = metrics.gauge('dispatcher_issues', 'Health issues that are not resolved.', ['kind']);
    this.partUp = metrics.gauge('dispatcher_part_up', 'Whether PostgreSQL and Redis answer this api.', [
      'part',
    ]);
    this.forget();
  }

  /** Removes all values except those of `partUp`. */
  forget(): void {
    for (const gauge of [
      this.pendingDeliveries,
      this.oldestDueAge,
      this.circuits,
      this.consumers,
      this.issues,
      this.unhealthyPending,
      this.unhealthyOldestDueAge,
      this.queueJobs,
    ])
      gauge.reset();
    for (const gauge of [
      this.consumersWithoutJob,
      this.workersAlive,
      this.sendingPaused,
      this.unrouted,
      this.deadNotSettled,
    ])
      gauge.remove();
  }
}
