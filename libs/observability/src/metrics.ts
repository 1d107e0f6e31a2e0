import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/**
 * The dispatcher's own series. Names follow the Prometheus conventions; labels are closed lists, so that the
 * number of series is bounded whatever consumers and producers send.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly eventsAccepted = this.counter('dispatcher_events_accepted_total', 'Events committed.', [
    'event_type',
  ]);
  readonly eventsDuplicate = this.counter(
    'dispatcher_events_duplicate_total',
    'Repeated requests answered again.',
  );
  readonly eventsUnrouted = this.counter(
    'dispatcher_events_unrouted_total',
    'Accepted events that concern no consumer.',
  );
  readonly contractWarnings = this.counter(
    'dispatcher_contract_warnings_total',
    'Accepted oddities, by kind.',
    ['warning'],
  );
  readonly attempts = this.counter('dispatcher_attempts_total', 'Recorded attempts, by outcome.', [
    'outcome',
  ]);
  readonly deliveriesFinished = this.counter('dispatcher_deliveries_finished_total', 'Finished deliveries.', [
    'state',
  ]);
  readonly enqueueFailures = this.counter(
    'dispatcher_enqueue_failures_total',
    'Deliveries left to the reconciler.',
  );
  readonly reconciled = this.counter(
    'dispatcher_reconciled_total',
    'What the reconciler put right, by kind.',
    ['kind'],
  );
  readonly holds = this.counter('dispatcher_holds_total', 'Deliveries put on hold at a take, by reason.', [
    'reason',
  ]);
  readonly gateTransitions = this.counter(
    'dispatcher_gate_transitions_total',
    'What happened to consumers: circuits, pauses, broken credentials.',
    ['kind'],
  );
  readonly scheduleRuns = this.counter('dispatcher_schedule_runs_total', 'Runs of recurring work.', [
    'schedule',
    'result',
  ]);
  readonly scheduleSeconds = new Histogram({
    name: 'dispatcher_schedule_seconds',
    help: 'How long the runs of recurring work take.',
    labelNames: ['schedule'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 60],
    registers: [this.registry],
  });
  readonly internalFaults = this.counter(
    'dispatcher_internal_faults_total',
    'Our own faults, by step; none spends an attempt.',
    ['step'],
  );
  readonly acceptToDelivered = new Histogram({
    name: 'dispatcher_accept_to_delivered_seconds',
    help: 'From acceptance to the acknowledgement.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3_600, 86_400, 259_200],
    registers: [this.registry],
  });

  readonly certificatesEnding = new Gauge({
    name: 'dispatcher_certificates_ending',
    help: 'Certificates in use, by whose they are, that have expired or will within 30 days.',
    labelNames: ['use', 'state'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  private counter<L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
