import { isTransient, MicroBatch } from '#libs/database';
import {
  faultText,
  measured,
  Metrics,
  TRACING,
  type SpanAttributes,
  type Tracing,
} from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import {
  acceptChanges,
  dependsOnPast,
  type Acceptance,
  type EventWriter,
  type FirstRequests,
  type RoutingSource,
} from './accept-changes.js';
import { AcceptLog } from './accept-log.js';
import { AcceptStore } from './accept-store.js';
import { prepareChange, type AcceptRequest, type PreparedChange } from './prepared-change.js';
import { RoutingDirectory } from './routing-directory.js';

/** Adds a job for each consumer, in the background. */
interface JobQueue {
  enqueue(consumerIds: readonly string[]): void;
}

/** Logs and counts the results of requests. */
interface AcceptanceLog {
  settled(change: PreparedChange, acceptance: Acceptance): void;
  gaveUp(fault: string): void;
}

/**
 * Accepts status changes durably: an answer is sent after the commit. Concurrent requests share one statement.
 * Consumers without an open session get a job after the commit, and no request waits for this.
 */
@Injectable()
export class AcceptService {
  private readonly batch: MicroBatch<PreparedChange, Acceptance>;

  constructor(
    @Inject(AcceptStore) private readonly store: EventWriter & FirstRequests,
    @Inject(RoutingDirectory) private readonly routing: RoutingSource,
    @Inject(DispatchQueue) private readonly queue: JobQueue,
    @Inject(AcceptLog) private readonly log: AcceptanceLog,
    @Inject(TRACING) private readonly tracing: Pick<Tracing, 'begin'>,
    metrics: Metrics,
  ) {
    this.batch = new MicroBatch(
      measured(metrics, 'accept', (changes) => this.acceptAll(changes)),
      200,
      ({ envelope }) => envelope.body.length,
    );
  }

  /**
   * Accepts one status change. Calls in the same turn of the event loop keep their order.
   * @throws DatabaseUnavailableError when PostgreSQL is unreachable; a repeated request finds what was committed
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
      this.log.gaveUp(error.message);
      return { kind: 'busy' };
    });
  }

  private async acceptAll(changes: readonly PreparedChange[]): Promise<Acceptance[]> {
    const acceptances = new Map<string, Acceptance>();
    for (const run of runsOf(changes)) {
      const accepted = await acceptChanges(this.store, this.routing, run);
      this.queue.enqueue(accepted.enqueue);
      for (const change of run) {
        const acceptance = accepted.acceptances.get(change.notificationId);
        if (acceptance === undefined) throw new Error('a change was neither accepted nor refused');
        acceptances.set(change.notificationId, acceptance);
      }
    }
    // Logged last: if a later run fails, the whole batch is tried again and finds what an earlier run has committed.
    return changes.map((change) => {
      const acceptance = acceptances.get(change.notificationId) ?? { kind: 'busy' };
      this.log.settled(change, acceptance);
      return acceptance;
    });
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
 * Splits a batch, in its order, into runs that one statement accepts: idempotency keys are distinct within a run, and a
 * change that depends on the payment's past is a run of its own.
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
