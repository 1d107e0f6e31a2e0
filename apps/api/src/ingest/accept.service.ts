import { AcceptStore, isTransient, MicroBatch, StatisticsWriter } from '#libs/database';
import {
  faultText,
  LOGGER,
  measured,
  Metrics,
  traceIdOf,
  TRACING,
  type Logger,
  type Tracing,
} from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { acceptanceOf, factsOf, repeatedIn, type Acceptance } from './acceptance.js';
import {
  inheritsFrom,
  prepareChange,
  routeChanges,
  withDistinctKeys,
  type AcceptRequest,
  type PreparedChange,
} from './change.js';
import { RoutingDirectory } from './routing-directory.js';

/**
 * Maximum number of tries in a row that bring no result. Only a faulty script changes consumers during all of them; the
 * producer then gets 503 and repeats the request.
 */
const TRIES = 20;

/**
 * Accepts status changes durably: an answer is sent after the commit. Concurrent requests share one statement.
 * Consumers without an open session get a job after the commit, and no request waits for this.
 */
@Injectable()
export class AcceptService {
  private readonly batch: MicroBatch<PreparedChange, Acceptance>;

  constructor(
    @Inject(AcceptStore) private readonly store: Pick<AcceptStore, 'accept' | 'pasts' | 'firstRequests'>,
    @Inject(RoutingDirectory) private readonly routing: Pick<
      RoutingDirectory,
      'current' | 'isNewest' | 'refresh'
    >,
    @Inject(DispatchQueue) private readonly queue: Pick<DispatchQueue, 'enqueue' | 'hint'>,
    @Inject(StatisticsWriter)
    private readonly statistics: { readonly counters: Pick<StatisticsWriter['counters'], 'accepted'> },
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info' | 'warn'>,
    @Inject(TRACING) private readonly tracing: Pick<Tracing, 'begin'>,
    private readonly metrics: Metrics,
  ) {
    this.batch = new MicroBatch(
      measured(metrics, 'accept', (changes) => this.acceptAll(changes)),
      { bytesOf: ({ envelope }) => envelope.body.length },
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
      this.logger.warn({ fault: error.message }, 'accept.contended');
      return { kind: 'busy' };
    });
  }

  private async acceptAll(changes: readonly PreparedChange[]): Promise<Acceptance[]> {
    const results = new Map<string, Acceptance>();
    let left = changes;
    for (let tries = 0; left.length > 0 && tries < TRIES; tries += 1) {
      const accepted = await this.acceptSome(withDistinctKeys(left));
      if (accepted.size > 0) tries = 0;
      for (const [id, acceptance] of accepted) results.set(id, acceptance);
      left = left.filter(({ notificationId }) => !results.has(notificationId));
    }
    // Logged last: if a later statement fails, the whole batch is tried again and finds what an earlier one committed.
    return changes.map((change) => {
      const acceptance = results.get(change.notificationId) ?? { kind: 'busy' };
      this.report(change, acceptance);
      return acceptance;
    });
  }

  /**
   * Accepts changes with distinct idempotency keys, in their order, with one statement. A refusal is final for a
   * producer, so it is given only by the newest routing: the statement that accepts the other changes compares the
   * version, and without other changes it is read.
   * @returns results by notification id; the changes without one must be tried again
   */
  private async acceptSome(changes: readonly PreparedChange[]): Promise<ReadonlyMap<string, Acceptance>> {
    const inherited = changes.flatMap((change) => inheritsFrom(change) ?? []);
    const pasts = inherited.length === 0 ? [] : await this.store.pasts(inherited);
    const { version, table } = await this.routing.current();
    const pairs = pasts.flatMap((past, index) => {
      const payment = inherited[index];
      return payment === undefined ? [] : [[payment, past] as const];
    });
    const { events, refusals } = routeChanges(changes, table, pairs);
    if (events.length === 0 && !(await this.routing.isNewest(version))) {
      await this.routing.refresh();
      return new Map();
    }
    const outcome =
      events.length === 0
        ? { kind: 'accepted' as const, enqueue: [] }
        : await this.store.accept(events, version);
    switch (outcome.kind) {
      case 'accepted':
        this.queue.enqueue(outcome.enqueue);
        this.queue.hint(events.flatMap(({ deliveries }) => deliveries.map(({ consumerId }) => consumerId)));
        return new Map([
          ...[...refusals].map(([id, faults]) => [id, { kind: 'refused', faults }] as const),
          ...events.map((event) => [event.id, acceptanceOf(event)] as const),
        ]);
      case 'key_taken':
        return repeatedIn(changes, await this.store.firstRequests(changes));
      case 'stale_routing':
        await this.routing.refresh();
        return new Map();
      case 'stale_past':
        return new Map();
    }
  }

  /** Logs and counts a result. */
  private report({ envelope, notificationId, traceparent }: PreparedChange, acceptance: Acceptance): void {
    if (acceptance.kind !== 'accepted') return;
    if (acceptance.duplicate) {
      this.metrics.eventsDuplicate.inc();
      return;
    }
    const { eventType, paymentId, status, warnings } = envelope;
    const consumerIds = acceptance.deliveries.map(({ consumerId }) => consumerId);
    this.metrics.eventsAccepted.inc({ event_type: eventType });
    this.statistics.counters.accepted(consumerIds);
    if (consumerIds.length === 0) this.metrics.eventsUnrouted.inc();
    for (const warning of warnings) this.metrics.contractWarnings.inc({ warning });
    const traceId = traceparent === null ? undefined : traceIdOf(traceparent);
    const facts = {
      notificationId,
      paymentId,
      eventType,
      status,
      deliveries: consumerIds.length,
      warnings,
      traceId,
    };
    this.logger.info(facts, 'event.accepted');
  }
}
