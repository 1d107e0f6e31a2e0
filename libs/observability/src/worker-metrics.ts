import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** Metrics of a worker. */
@Injectable()
export class WorkerMetrics {
  readonly slots;
  readonly slotsInUse;
  readonly sessions;
  readonly consuming;

  constructor(metrics: Metrics) {
    this.slots = metrics.gauge('dispatcher_worker_slots', 'Most deliveries that this worker sends at once.');
    this.slotsInUse = metrics.gauge(
      'dispatcher_worker_slots_in_use',
      'Deliveries that the worker is sending or recording.',
    );
    this.sessions = metrics.gauge(
      'dispatcher_worker_sessions',
      'Open delivery sessions: consumers that the worker delivers to.',
    );
    this.consuming = metrics.gauge(
      'dispatcher_worker_consuming',
      '1 while the worker consumes; 0 when `/readyz` reports why it does not.',
    );
  }
}
