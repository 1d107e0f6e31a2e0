import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** What only a worker has. */
@Injectable()
export class WorkerMetrics {
  readonly slots;
  readonly slotsInUse;
  readonly sessions;
  readonly consuming;

  constructor(metrics: Metrics) {
    this.slots = metrics.gauge(
      'dispatcher_worker_slots',
      'Deliveries that this worker sends at once at most.',
    );
    this.slotsInUse = metrics.gauge(
      'dispatcher_worker_slots_in_use',
      'Deliveries that it is sending or recording.',
    );
    this.sessions = metrics.gauge(
      'dispatcher_worker_sessions',
      'Consumers that it delivers to: its open delivery sessions.',
    );
    this.consuming = metrics.gauge(
      'dispatcher_worker_consuming',
      '1 while it consumes; 0 when `/readyz` says what keeps it from consuming.',
    );
  }
}
