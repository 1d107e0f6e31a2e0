import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** Consumers that have series of their own, the worst off first: few, however many there are. */
export const MOST_CONSUMERS_WITH_SERIES = 20;

/**
 * What is true of the whole installation and not of one process: every api says the same, so take `max`, never `sum`.
 * What cannot be found out has no series.
 */
@Injectable()
export class InstallationMetrics {
  readonly pendingDeliveries;
  readonly oldestDueAge;
  readonly circuits;
  readonly consumers;
  readonly deadNotSettled;
  readonly troubledPending;
  readonly troubledOldestDueAge;
  readonly queueJobs;
  readonly consumersWithoutJob;
  readonly workersAlive;
  readonly sendingPaused;
  readonly unrouted;
  readonly partUp;

  constructor(metrics: Metrics) {
    this.pendingDeliveries = metrics.gauge(
      'dispatcher_pending_deliveries',
      'Backlog: deliveries that are not finished, held ones by reason; counted up to 100,000 together.',
      ['state', 'reason'],
    );
    this.oldestDueAge = metrics.gauge(
      'dispatcher_oldest_due_age_seconds',
      'For how long the longest overdue has been due; of held ones: for how long the first has been held; 0 while sending.',
      ['state', 'reason'],
    );
    this.circuits = metrics.gauge('dispatcher_circuits', 'Consumers, by their circuit.', ['state']);
    this.consumers = metrics.gauge('dispatcher_consumers', 'Consumers, by their state of health.', [
      'health',
    ]);
    this.deadNotSettled = metrics.gauge(
      'dispatcher_dead_deliveries_not_settled',
      'Dead deliveries that nobody has replayed, cancelled or settled.',
    );
    const OF_CONSUMER = ['consumer_id', 'consumer', 'health'];
    this.troubledPending = metrics.gauge(
      'dispatcher_troubled_consumer_pending_deliveries',
      'Backlog of the 20 consumers that are worst off.',
      OF_CONSUMER,
    );
    this.troubledOldestDueAge = metrics.gauge(
      'dispatcher_troubled_consumer_oldest_due_age_seconds',
      'For how long the longest overdue of these consumers has been due.',
      OF_CONSUMER,
    );
    this.queueJobs = metrics.gauge(
      'dispatcher_queue_jobs',
      'Jobs in BullMQ: consumers that wait for a worker, those that workers deliver to, timers.',
      ['state'],
    );
    this.consumersWithoutJob = metrics.gauge(
      'dispatcher_consumers_without_job',
      'Consumers that have had something due for 5 s and are in no job: at least so many.',
    );
    this.workersAlive = metrics.gauge(
      'dispatcher_workers_alive',
      'Workers that have reported in the last 6 s.',
    );
    this.sendingPaused = metrics.gauge(
      'dispatcher_sending_paused',
      '1 while an operator has paused sending to everybody.',
    );
    this.unrouted = metrics.gauge(
      'dispatcher_unrouted_events',
      'Events of the last 90 days that concerned no consumer and that no operator has sent to one; counted up to 10,000.',
    );
    this.partUp = metrics.gauge('dispatcher_part_up', 'Whether PostgreSQL and Redis answer this api.', [
      'part',
    ]);
    this.forget();
  }

  /** Takes back what was last found out, except of the parts. */
  forget(): void {
    for (const gauge of [
      this.pendingDeliveries,
      this.oldestDueAge,
      this.circuits,
      this.consumers,
      this.troubledPending,
      this.troubledOldestDueAge,
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
