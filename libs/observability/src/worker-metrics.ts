import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** Metrics of a worker. */
@Injectable()
export class WorkerMetrics {
  readonly slots = this.metrics.gauge(
    'dispatcher_worker_slots',
    'Most deliveries that this worker sends at once.',
  );
  readonly slotsInUse = this.metrics.gauge(
    'dispatcher_worker_slots_in_use',
    'Deliveries that the worker is sending or recording.',
  );
  readonly sessions = this.metrics.gauge(
    'dispatcher_worker_sessions',
    'Open delivery sessions: consumers that the worker delivers to.',
  );
  readonly consuming = this.metrics.gauge(
    'dispatcher_worker_consuming',
    '1 while the worker consumes; 0 when `/readyz` reports why it does not.',
  );

  constructor(private readonly metrics: Metrics) {}
}
