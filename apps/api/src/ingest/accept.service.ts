import { isTransient, MicroBatch, Pipeline, StatisticsWriter } from '#libs/database';
import {
  faultText,
  LOGGER,
  measured,
  Metrics,
  traceIdOf,
  TRACING,
  type Logger,
  type SpanAttributes,
  type Tracing,
} from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { acceptChanges, dependsOnPast, type Acceptance, type Addressed } from './accept-changes.js';
import { prepareChange, type AcceptRequest, type PreparedChange } from './prepared-change.js';
import { RoutingDirectory } from './routing-directory.js';

/**
 * Makes status changes durable. An answer means committed: concurrent requests share one statement, and consumers that
 * no worker serves at the moment get a job after it, off the request's path.
 */
@Injectable()
export class AcceptService {
  private readonly batch: MicroBatch<PreparedChange, Acceptance>;

  constructor(
    private readonly pipeline: Pipeline,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
    private readonly metrics: Metrics,
    private readonly routing: RoutingDirectory,
    private readonly queue: DispatchQueue,
    private readonly statisticsWriter: StatisticsWriter,
  ) {
    this.batch = new MicroBatch(measured(metrics, 'accept', (changes) => this.acceptAll(changes)));
  }

  /**
   * Accepts one status change. Calls made one after the other in the same turn keep that order.
   * @throws DatabaseUnavailableError when PostgreSQL is away: a repeated request finds what was committed all the same
   */
  async accept(request: AcceptRequest): Promise<Acceptance> {
    const span = this.tracing.begin('accept', { kind: 'server', parent: request.traceparent });
    if (span === undefined) return this.acceptOne(request);
    try {
      const acceptance = await this.acceptOne({ ...request, traceparent: span.traceparent });
      span.end(factsOf(acceptance));
      return acceptance;
    } catch (error) {
      span.end({}, faultText(error));
      throw error;
    }
  }

  private acceptOne(request: AcceptRequest): Promise<Acceptance> {
    return this.batch.add(prepareChange(request)).catch((error: unknown): Acceptance => {
      if (!(error instanceof Error && isTransient(error))) throw error;
      this.logger.warn({ fault: error.message }, 'accept gives up; the producer is asked to retry');
      return { kind: 'busy' };
    });
  }

  private async acceptAll(changes: readonly PreparedChange[]): Promise<Acceptance[]> {
    const acceptances = new Map<string, Acceptance>();
    for (const run of runsOf(changes)) {
      const accepted = await acceptChanges(this.pipeline, this.routing, run);
      this.queue.enqueue(accepted.enqueue);
      for (const change of run) {
        const acceptance = accepted.acceptances.get(change.notificationId);
        if (acceptance === undefined) throw new Error('a change was neither accepted nor refused');
        acceptances.set(change.notificationId, acceptance);
      }
    }
    // At the end: when a later run fails, the whole batch is tried again and finds what an earlier one has committed.
    return changes.map((change) => {
      const acceptance = acceptances.get(change.notificationId) ?? { kind: 'busy' };
      this.report(change, acceptance);
      return acceptance;
    });
  }

  private report(change: PreparedChange, acceptance: Acceptance): void {
    if (acceptance.kind !== 'accepted') return;
    if (acceptance.duplicate) this.metrics.eventsDuplicate.inc();
    else this.reportAccepted(change, acceptance.deliveries);
  }

  private reportAccepted(change: PreparedChange, deliveries: readonly Addressed[]): void {
    const { envelope, notificationId } = change;
    this.metrics.eventsAccepted.inc({ event_type: envelope.eventType });
    this.statisticsWriter.counters.accepted(deliveries.map((delivery) => delivery.consumerId));
    if (deliveries.length === 0) this.metrics.eventsUnrouted.inc();
    for (const warning of envelope.warnings) this.metrics.contractWarnings.inc({ warning });
    this.logger.info(
      {
        notificationId,
        paymentId: envelope.paymentId,
        eventType: envelope.eventType,
        status: envelope.status,
        deliveries: deliveries.length,
        warnings: envelope.warnings,
        traceId: change.traceparent === null ? undefined : traceIdOf(change.traceparent),
      },
      'event.accepted',
    );
  }
}

const factsOf = (acceptance: Acceptance): SpanAttributes =>
  acceptance.kind === 'accepted'
    ? {
        'dispatcher.acceptance': acceptance.duplicate ? 'duplicate' : 'accepted',
        'dispatcher.notification_id': acceptance.notificationId,
        'dispatcher.deliveries': acceptance.deliveries.length,
      }
    : { 'dispatcher.acceptance': acceptance.kind };

/**
 * Parts a batch, in its order, into runs that one statement accepts: distinct idempotency keys, and what depends on the
 * payment's past alone.
 */
function runsOf(changes: readonly PreparedChange[]): PreparedChange[][] {
  const runs: PreparedChange[][] = [];
  let keys = new Set<string>();
  let isClosed = true;
  for (const change of changes) {
    const alone = dependsOnPast(change);
    const run = runs.at(-1);
    if (run === undefined || isClosed || alone || keys.has(change.keyId)) {
      runs.push([change]);
      keys = new Set([change.keyId]);
    } else {
      run.push(change);
      keys.add(change.keyId);
    }
    isClosed = alone;
  }
  return runs;
}
