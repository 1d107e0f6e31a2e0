import {
  ServerCertificateStore,
  StatisticsWriter,
  type AttemptResult,
  type FetchedConsumer,
  type FetchedDelivery,
} from '#libs/database';
import type { Exchange } from '#libs/egress';
import { succeeds, type Decision } from '#libs/policy';
import {
  faultText,
  LOGGER,
  Metrics,
  traceIdOf,
  TRACING,
  type Logger,
  type Tracing,
} from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { NotSentError } from './end-reason.js';

/** The spans of one attempt; without a collector none is made. */
export interface AttemptTrace {
  /** The parent of later spans; null when the event is not traced. */
  readonly traceparent: string | null;
  /** Runs one step in its own span. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Sends in a span, whose context goes with the request. */
  post(send: (traceparent: string | null) => Promise<Exchange>): Promise<Exchange>;
  /** @param fault the internal error that ended the attempt */
  end(fault?: string): void;
}

/** An attempt with its result. */
export interface Attempted {
  readonly delivery: FetchedDelivery;
  readonly result: AttemptResult;
  readonly decision: Decision;
  /** False: another worker had opened a session of the consumer, and nothing was written. */
  readonly recorded: boolean;
  readonly trace: AttemptTrace;
}

/** Logs, counts and traces attempts. */
@Injectable()
export class AttemptReport {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
    private readonly metrics: Metrics,
    private readonly statisticsWriter: StatisticsWriter,
    private readonly serverCertificates: ServerCertificateStore,
  ) {}

  begin(consumer: FetchedConsumer, delivery: FetchedDelivery): AttemptTrace {
    const parent = delivery.traceparent ?? undefined;
    const span = this.tracing.begin('deliver', {
      kind: 'consumer',
      parent,
      attributes: {
        'dispatcher.notification_id': delivery.notificationId,
        'dispatcher.delivery_id': delivery.id,
        'dispatcher.consumer_id': consumer.consumerId,
        'dispatcher.attempt': delivery.attempts + 1,
      },
    });
    const traceparent = span?.traceparent ?? parent;
    const step: AttemptTrace['step'] = async (name, work) => {
      const inner = this.tracing.begin(name, { kind: 'internal', parent: traceparent });
      try {
        const done = await work();
        inner?.end();
        return done;
      } catch (error) {
        inner?.end({}, faultText(error));
        throw error;
      }
    };
    return {
      traceparent: traceparent ?? null,
      step,
      post: async (send) => {
        const inner = this.tracing.begin('send', {
          kind: 'client',
          parent: traceparent,
          attributes: { 'http.request.method': 'POST' },
        });
        try {
          const exchange = await send(inner?.traceparent ?? traceparent ?? null);
          const { outcome, httpStatus } = exchange;
          inner?.end(
            {
              'dispatcher.outcome': outcome,
              ...(httpStatus === null ? {} : { 'http.response.status_code': httpStatus }),
            },
            succeeds(outcome) ? undefined : outcome,
          );
          return exchange;
        } catch (error) {
          inner?.end({}, faultText(error));
          throw error;
        }
      },
      end: (fault) => span?.end({}, fault),
    };
  }

  noteCertificate(consumer: FetchedConsumer, exchange: Exchange): void {
    this.serverCertificates.note(consumer.consumerId, consumer.url, exchange);
  }

  attempted({ delivery, result, decision, recorded, trace }: Attempted): void {
    this.logger.info(
      {
        deliveryId: delivery.id,
        notificationId: delivery.notificationId,
        consumerId: result.consumerId,
        traceId: trace.traceparent === null ? undefined : traceIdOf(trace.traceparent),
        attempt: delivery.attempts + 1,
        probe: result.probe || undefined,
        outcome: result.outcome,
        httpStatus: result.httpStatus,
        durationMs: Math.round(result.durationMs),
        next: decision.kind,
        retryInMs: decision.kind === 'retry' ? decision.delayMs : undefined,
      },
      recorded ? 'delivery.attempted' : 'session.fenced',
    );
    if (!recorded) return;
    this.metrics.attempts.inc({ outcome: result.outcome });
    this.metrics.attemptSeconds.observe(result.durationMs / 1_000);
    const latencyMs = Math.max(0, Date.now() - delivery.acceptedAt.getTime());
    this.statisticsWriter.counters.attempted({
      consumerId: result.consumerId,
      succeeded: succeeds(result.outcome),
      end: 'state' in result.next ? result.next.state : null,
      latencyMs,
    });
    if (!('state' in result.next)) return;
    this.metrics.deliveriesFinished.inc({ state: result.next.state });
    if (result.next.state === 'delivered') this.metrics.acceptToDelivered.observe(latencyMs / 1_000);
  }

  /** An internal error before the request was sent, or instead of its answer. A lost session is none. */
  notSent(delivery: FetchedDelivery, trace: AttemptTrace, error: unknown): void {
    if (error instanceof NotSentError) {
      this.logger.info({ ...idsOf(delivery, trace), reason: error.message }, 'delivery.not_sent');
      return;
    }
    this.metrics.internalFaults.inc({ step: 'attempt' });
    this.logger.error({ ...idsOf(delivery, trace), fault: faultText(error) }, 'delivery.not_attempted');
  }

  /** The process stops before PostgreSQL has recorded the result; another worker sends the delivery again. */
  notRecorded(delivery: FetchedDelivery, trace: AttemptTrace, error: unknown): void {
    this.metrics.internalFaults.inc({ step: 'record' });
    this.logger.error({ ...idsOf(delivery, trace), fault: faultText(error) }, 'delivery.not_recorded');
  }
}

const idsOf = (delivery: FetchedDelivery, { traceparent }: AttemptTrace) => ({
  deliveryId: delivery.id,
  notificationId: delivery.notificationId,
  traceId: traceparent === null ? undefined : traceIdOf(traceparent),
});
