import { EVENT_TYPES, FINAL_STATES, OUTCOMES, VERSION } from '#libs/contracts';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** What reconcile finds and repairs; see docs/failure-modes.md. */
export const RECONCILED_KINDS = ['overdue', 'timer', 'secret', 'removed_consumer'] as const;
export type ReconciledKind = (typeof RECONCILED_KINDS)[number];

/** Micro-batches: calls that process many deliveries or events at once. */
export const BATCHES = ['accept', 'fetch', 'record'] as const;
export type Batch = (typeof BATCHES)[number];

const SHORT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Metrics of one process; docs/metrics.md lists them. Names follow the Prometheus conventions. Labels are closed lists, so that
 * consumers and producers cannot increase the number of series. Series for alerts begin with 0, since Prometheus sees no
 * increase in the first value of a new series.
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly collectors: (() => Promise<void>)[] = [];

  readonly buildInfo = this.gauge(
    'dispatcher_build_info',
    '1, with the versions of the process and of Node.js.',
    ['version', 'node'],
  );
  readonly eventsAccepted = this.counter('dispatcher_events_accepted_total', 'Events committed.', [
    'event_type',
  ]);
  readonly eventsDuplicate = this.counter('dispatcher_events_duplicate_total', 'Repeated requests.');
  readonly eventsUnrouted = this.counter(
    'dispatcher_events_unrouted_total',
    'Accepted events that concern no consumer.',
  );
  readonly contractWarnings = this.counter(
    'dispatcher_contract_warnings_total',
    'Unusual values accepted, by kind.',
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
    'Consumers whose job or timer the queue did not accept; reconcile repeats it.',
  );
  readonly reconciled = this.counter('dispatcher_reconciled_total', 'Repairs of reconcile, by kind.', [
    'kind',
  ]);
  readonly consumerTransitions = this.counter(
    'dispatcher_consumer_transitions_total',
    'Changes of consumers: circuits, pauses, broken credentials.',
    ['kind'],
  );
  readonly channelMessages = this.counter(
    'dispatcher_channel_messages_total',
    'Messages about issues: sent, failed attempts, given up after 24 h, counted for a summary.',
    ['kind', 'result'],
  );
  readonly scheduleRuns = this.counter('dispatcher_schedule_runs_total', 'Runs of recurring work.', [
    'schedule',
    'result',
  ]);
  readonly scheduleSeconds = new Histogram({
    name: 'dispatcher_schedule_seconds',
    help: 'Duration of the runs of recurring work.',
    labelNames: ['schedule'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 60],
    registers: [this.registry],
  });
  readonly internalFaults = this.counter(
    'dispatcher_internal_faults_total',
    'Internal errors, by step; none counts as an attempt.',
    ['step'],
  );
  readonly rateLimited = this.counter('dispatcher_rate_limited_total', 'Requests answered 429, by limit.', [
    'limit',
  ]);
  readonly acceptToDelivered = new Histogram({
    name: 'dispatcher_accept_to_delivered_seconds',
    help: 'From acceptance to the acknowledgement.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3_600, 86_400, 259_200],
    registers: [this.registry],
  });

  readonly certificatesEnding = new Gauge({
    name: 'dispatcher_certificates_ending',
    help: 'Certificates in use that have expired or will within 30 days, by use.',
    labelNames: ['use', 'state'],
    registers: [this.registry],
  });
  readonly attemptSeconds = new Histogram({
    name: 'dispatcher_attempt_seconds',
    help: 'Duration of POSTs to consumers, with any outcome.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  readonly batchItems = new Histogram({
    name: 'dispatcher_batch_items',
    help: 'Items of a transaction, or of a call of the queue.',
    labelNames: ['batch'],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    registers: [this.registry],
  });
  readonly batchSeconds = new Histogram({
    name: 'dispatcher_batch_seconds',
    help: 'Duration of such a batch.',
    labelNames: ['batch'],
    buckets: SHORT_SECONDS,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.buildInfo.set({ version: VERSION, node: process.version }, 1);
    for (const event_type of EVENT_TYPES) this.eventsAccepted.inc({ event_type }, 0);
    for (const outcome of OUTCOMES) this.attempts.inc({ outcome }, 0);
    for (const state of FINAL_STATES) this.deliveriesFinished.inc({ state }, 0);
    for (const kind of RECONCILED_KINDS) this.reconciled.inc({ kind }, 0);
    for (const batch of BATCHES) {
      this.batchItems.zero({ batch });
      this.batchSeconds.zero({ batch });
    }
  }

  /** Adds a function that updates metrics before each scrape. It must not reject, and must end in time for the scrape. */
  beforeScrape(collect: () => Promise<void>): void {
    this.collectors.push(collect);
  }

  /** All current metrics as text. */
  async text(): Promise<string> {
    await Promise.all(this.collectors.map((collect) => collect()));
    return this.registry.metrics();
  }

  /** A gauge of one part of the process, in this registry. */
  gauge<L extends string>(name: string, help: string, labelNames: L[] = []): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  private counter<L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
