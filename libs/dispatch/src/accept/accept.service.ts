import type { FieldFault } from '#libs/contracts';
import { PIPELINE, isTransient, MicroBatch, type Database } from '#libs/database';
import {
  faultText,
  LOGGER,
  Metrics,
  traceIdOf,
  TRACING,
  type Logger,
  type SpanAttributes,
  type Tracing,
} from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { Enqueuer } from '../enqueuer.js';
import { Gatekeeper } from '../gate/gatekeeper.js';
import { measured } from '../measured-batch.js';
import { Statistician } from '../statistics/statistician.js';
import {
  acceptBatch,
  RoutingRefusedError,
  StaleRoutingError,
  type Addressed,
  type BatchAccepted,
} from './accept-batch.js';
import { prepareChange, type AcceptRequest, type PreparedChange } from './prepared-change.js';
import { RoutingDirectory } from './routing-directory.js';

/** What became of one request. */
export type Acceptance =
  | {
      readonly kind: 'accepted';
      readonly notificationId: string;
      readonly duplicate: boolean;
      readonly deliveries: readonly Addressed[];
    }
  /** The idempotency key was used before, with other content. */
  | { readonly kind: 'conflict' }
  /** `consumers` names somebody who must not get it. */
  | { readonly kind: 'refused'; readonly faults: readonly FieldFault[] }
  /** Nothing was written: every try lost against what happened at the same time. The same request may succeed later. */
  | { readonly kind: 'busy' };

/** A routing that changes on every try is an operator's script gone wild; the producer is told to come back. */
const ROUTING_TRIES = 20;

/**
 * Makes status changes durable. An answer means committed: concurrent requests share one transaction, and the
 * deliveries are handed to the queue after it, off the request's path.
 */
@Injectable()
export class AcceptService {
  private readonly batch: MicroBatch<PreparedChange, Acceptance>;

  constructor(
    @Inject(PIPELINE) private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
    private readonly metrics: Metrics,
    private readonly routing: RoutingDirectory,
    private readonly enqueuer: Enqueuer,
    private readonly gatekeeper: Gatekeeper,
    private readonly statistician: Statistician,
  ) {
    this.batch = new MicroBatch(measured(metrics, 'accept', (changes) => this.acceptAll(changes)));
  }

  /**
   * Accepts one status change. Calls made one after the other in the same turn keep that order.
   * @throws DatabaseAwayError when PostgreSQL is away: a repeated request finds what was committed all the same
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
      if (!isLostRace(error)) throw error;
      this.logger.warn({ fault: error.message }, 'accept gives up; the producer is told to come back');
      return { kind: 'busy' };
    });
  }

  private async acceptAll(changes: readonly PreparedChange[]): Promise<Acceptance[]> {
    const refused = new Map<string, readonly FieldFault[]>();
    for (let tries = 1; ; tries += 1) {
      const leaders = firstOfEachKey(changes.filter((change) => !refused.has(change.notificationId)));
      try {
        const accepted = await acceptBatch(this.db, leaders, await this.routing.current());
        const traces = this.tracing.isOn ? tracesOf(leaders, accepted) : NO_TRACES;
        this.enqueuer.enqueue(
          accepted.queued.map((delivery) => ({
            ...delivery,
            round: 0,
            traceparent: traces.get(delivery.deliveryId),
          })),
        );
        this.gatekeeper.putOnHold(accepted.atGateOf);
        return changes.map((change) => this.answer(change, accepted, refused));
      } catch (error) {
        if (error instanceof RoutingRefusedError)
          for (const [id, faults] of error.refusals) refused.set(id, faults);
        else if (error instanceof StaleRoutingError && tries < ROUTING_TRIES) await this.routing.refresh();
        else throw error;
      }
    }
  }

  private answer(
    change: PreparedChange,
    accepted: BatchAccepted,
    refused: ReadonlyMap<string, readonly FieldFault[]>,
  ): Acceptance {
    const faults = refused.get(change.notificationId);
    if (faults !== undefined) return { kind: 'refused', faults };
    const standing = accepted.standings.get(change.keyId);
    if (standing === undefined) throw new Error('a change was neither accepted nor refused');
    const { notificationId, deliveries } = standing;
    if (notificationId === change.notificationId) {
      this.tell(change, deliveries);
      return { kind: 'accepted', notificationId, duplicate: false, deliveries };
    }
    if (!standing.contentHash.equals(change.contentHash)) return { kind: 'conflict' };
    this.metrics.eventsDuplicate.inc();
    return { kind: 'accepted', notificationId, duplicate: true, deliveries };
  }

  private tell(change: PreparedChange, deliveries: readonly Addressed[]): void {
    const { envelope, notificationId } = change;
    this.metrics.eventsAccepted.inc({ event_type: envelope.eventType });
    this.statistician.tally.accepted(deliveries.map((delivery) => delivery.consumerId));
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
      'accepted',
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

function isLostRace(error: unknown): error is Error {
  return error instanceof StaleRoutingError || (error instanceof Error && isTransient(error));
}

/** One change a key, the earliest; PostgreSQL takes a key once in a statement. */
function firstOfEachKey(changes: readonly PreparedChange[]): PreparedChange[] {
  const leaders = new Map<string, PreparedChange>();
  for (const change of changes) if (!leaders.has(change.keyId)) leaders.set(change.keyId, change);
  return [...leaders.values()];
}

const NO_TRACES: ReadonlyMap<string, string> = new Map();

/** By delivery, the traces of the changes that were accepted. */
function tracesOf(
  changes: readonly PreparedChange[],
  { standings }: BatchAccepted,
): ReadonlyMap<string, string> {
  const traces = new Map<string, string>();
  for (const { keyId, traceparent } of changes) {
    if (traceparent === null) continue;
    for (const { deliveryId } of standings.get(keyId)?.deliveries ?? []) traces.set(deliveryId, traceparent);
  }
  return traces;
}
