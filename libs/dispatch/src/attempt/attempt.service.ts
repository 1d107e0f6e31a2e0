import {
  PIPELINE,
  MicroBatch,
  putBack,
  record,
  type AttemptResult,
  type Database,
  type NextStep,
  type Recorded,
  type Taken,
} from '#libs/database';
import { decide, DEFAULT_RETRY_SCHEDULE_MS, succeeds, type Decision } from '#libs/delivery';
import type { Egress, Exchange } from '#libs/egress';
import {
  faultText,
  LOGGER,
  Metrics,
  traceIdOf,
  TRACING,
  type Logger,
  type Span,
  type Tracing,
} from '#libs/observability';
import { UndecryptableError, type CredentialCache } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { CREDENTIALS, EGRESS } from '../doors.js';
import { ServerCertificates } from '../certificates/server-certificates.js';
import { Enqueuer } from '../enqueuer.js';
import { Gatekeeper } from '../gate/gatekeeper.js';
import { measured } from '../measured-batch.js';
import { Statistician } from '../statistics/statistician.js';
import { keepableExchange } from './keepable-exchange.js';
import { persist } from './persist.js';
import { signedHeaders } from './signed-headers.js';
import { StallWatch } from './stall-watch.js';

/**
 * One attempt: sign, send, record. What the consumer or the network does is recorded and scheduled; a fault of ours
 * puts the delivery back where it was, and spends nothing of the consumer's budget.
 */
@Injectable()
export class AttemptService {
  private readonly records: MicroBatch<AttemptResult, Recorded>;

  constructor(
    @Inject(PIPELINE) private readonly db: Database,
    @Inject(EGRESS) private readonly egress: Egress,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
    private readonly metrics: Metrics,
    private readonly enqueuer: Enqueuer,
    private readonly gatekeeper: Gatekeeper,
    private readonly stallWatch: StallWatch,
    private readonly statistician: Statistician,
    private readonly serverCertificates: ServerCertificates,
  ) {
    this.records = new MicroBatch(measured(metrics, 'record', (results) => record(this.db, results)));
  }

  /**
   * Never rejects: what it cannot put back or record is taken up by another when the lease ends.
   * @param askedAt when the lease was asked for, by `performance.now()`
   * @param signal ends waiting when the process stops
   * @param job the span in which the queue handed it out, if that is traced
   */
  async attempt(taken: Taken, askedAt: number, signal: AbortSignal, job: string | undefined): Promise<void> {
    const span = this.tracing.begin('deliver', {
      kind: 'consumer',
      parent: taken.traceparent,
      startedAtMs: askedAt,
      link: job,
      attributes: {
        'dispatcher.notification_id': taken.notificationId,
        'dispatcher.delivery_id': taken.deliveryId,
        'dispatcher.consumer_id': taken.consumerId,
        'dispatcher.attempt': taken.attempt,
      },
    });
    const traceparent = span?.traceparent ?? taken.traceparent;
    this.tracing.begin('take', { kind: 'internal', parent: traceparent, startedAtMs: askedAt })?.end();
    try {
      await this.send(span === undefined ? taken : { ...taken, traceparent }, askedAt, signal);
      span?.end();
    } catch (error) {
      span?.end({}, faultText(error));
      this.metrics.internalFaults.inc({ step: 'attempt' });
      this.logger.error(
        {
          deliveryId: taken.deliveryId,
          notificationId: taken.notificationId,
          traceId: traceparent && traceIdOf(traceparent),
          fault: faultText(error),
        },
        'a fault of ours; the delivery comes back and no attempt is spent',
      );
    }
  }

  private async send(taken: Taken, askedAt: number, signal: AbortSignal): Promise<void> {
    let exchange: Exchange;
    try {
      exchange = await this.post(taken, askedAt);
      if (exchange.httpStatus === null && this.stallWatch.stalledSince(askedAt)) {
        throw new Error('the process stood still while it waited for the answer; the attempt does not count');
      }
    } catch (error) {
      if (error instanceof UndecryptableError) {
        return this.gatekeeper.holdForSecret(taken, error.message);
      }
      this.metrics.internalFaults.inc({ step: 'send' });
      const again = await putBack(this.db, taken);
      const { deliveryId, consumerId } = taken;
      if (again !== undefined) this.enqueuer.enqueue([{ deliveryId, consumerId, ...again }]);
      throw error;
    }
    this.serverCertificates.note(taken.consumerId, taken.url, exchange);
    const decision = decide({
      outcome: exchange.outcome,
      httpStatus: exchange.httpStatus,
      probe: taken.probe,
      attempt: taken.scheduleStep + 1,
      schedule: taken.retrySchedule?.map((seconds) => seconds * 1_000) ?? DEFAULT_RETRY_SCHEDULE_MS,
      random: Math.random(),
      retryAfterMs: exchange.retryAfterMs,
    });
    const result = resultOf(taken, exchange, decision);
    const recording = this.tracing.begin('record', { kind: 'internal', parent: taken.traceparent });
    const { recorded, released, paused } = await persist((attempt) => this.records.add(attempt), result, {
      signal,
      onFault: () => this.metrics.internalFaults.inc({ step: 'record' }),
    }).catch(failing(recording));
    recording?.end({ 'dispatcher.recorded': recorded, 'dispatcher.next': decision.kind });
    this.enqueuer.enqueue(released);
    if (paused !== undefined) this.gatekeeper.tell([paused]);
    this.tell(taken, exchange, decision, recorded);
    // Another worker has the delivery: whatever comes next is that one's.
    if (!recorded) return;
    if (decision.kind === 'retry') {
      const { deliveryId, consumerId, round } = taken;
      this.enqueuer.enqueue([
        {
          deliveryId,
          consumerId,
          round: round + 1,
          dueInMs: decision.delayMs,
          traceparent: taken.traceparent,
        },
      ]);
    }
    this.gatekeeper.attemptEnded({
      consumerId: taken.consumerId,
      observation: {
        deliveryId: taken.deliveryId,
        at: new Date(),
        succeeded: succeeds(exchange.outcome),
        probe: taken.probe,
      },
    });
  }

  private async post(taken: Taken, askedAt: number): Promise<Exchange> {
    const credentials = await this.credentials.get(taken.consumerId, taken.credentialVersion);
    const span = this.tracing.begin('send', {
      kind: 'client',
      parent: taken.traceparent,
      attributes: { 'http.request.method': 'POST' },
    });
    const traceparent = span?.traceparent ?? taken.traceparent;
    const posting = this.egress.post({
      url: taken.url,
      body: taken.body,
      timeoutMs: taken.timeoutMs,
      tls: {
        caCertificate: taken.caCertificate ?? undefined,
        clientCertificate: credentials.clientCertificate,
      },
      buildHeaders: (sentAtMs) => {
        // A process that was suspended until now would send what another worker may have taken over.
        if (performance.now() - askedAt > taken.leaseMs - taken.timeoutMs) {
          throw new Error('the process stood still between take and send; nothing was sent');
        }
        const headers = signedHeaders(taken, credentials, sentAtMs);
        return traceparent === undefined ? headers : { ...headers, traceparent };
      },
    });
    const exchange = await posting.catch(failing(span));
    const { outcome, httpStatus } = exchange;
    span?.end(
      {
        'dispatcher.outcome': outcome,
        ...(httpStatus === null ? {} : { 'http.response.status_code': httpStatus }),
      },
      succeeds(outcome) ? undefined : outcome,
    );
    return keepableExchange(exchange, credentials);
  }

  private tell(taken: Taken, exchange: Exchange, decision: Decision, recorded: boolean): void {
    this.logger.info(
      {
        deliveryId: taken.deliveryId,
        notificationId: taken.notificationId,
        consumerId: taken.consumerId,
        traceId: taken.traceparent && traceIdOf(taken.traceparent),
        attempt: taken.attempt,
        probe: taken.probe || undefined,
        outcome: exchange.outcome,
        httpStatus: exchange.httpStatus,
        durationMs: Math.round(exchange.durationMs),
        next: decision.kind,
        retryInMs: decision.kind === 'retry' ? decision.delayMs : undefined,
      },
      recorded ? 'attempted' : 'attempted too late: another worker has taken the delivery',
    );
    if (!recorded) return;
    this.metrics.attempts.inc({ outcome: exchange.outcome });
    this.metrics.attemptSeconds.observe(exchange.durationMs / 1_000);
    const latencyMs = Math.max(0, Date.now() - taken.acceptedAt.getTime());
    this.statistician.tally.attempted({
      consumerId: taken.consumerId,
      succeeded: succeeds(exchange.outcome),
      end: decision.kind === 'delivered' || decision.kind === 'dead' ? decision.kind : null,
      latencyMs,
    });
    if (decision.kind === 'retry' || decision.kind === 'hold') return;
    this.metrics.deliveriesFinished.inc({ state: decision.kind });
    if (decision.kind === 'delivered') {
      this.metrics.acceptToDelivered.observe(latencyMs / 1_000);
    }
  }
}

/** Ends the step with a fault of ours, which goes on to whoever waits. */
const failing =
  (span: Span | undefined) =>
  (error: unknown): never => {
    span?.end({}, faultText(error));
    throw error;
  };

function resultOf(taken: Taken, exchange: Exchange, decision: Decision): AttemptResult {
  return {
    deliveryId: taken.deliveryId,
    lease: taken.lease,
    lane: taken.lane,
    outcome: exchange.outcome,
    httpStatus: exchange.httpStatus,
    detail: exchange.detail,
    startedAt: exchange.sentAt,
    durationMs: exchange.durationMs,
    url: taken.url,
    credentialVersion: taken.credentialVersion,
    requestHeaders: { ...exchange.requestHeaders },
    responseHeaders: exchange.responseHeaders,
    responseBody: exchange.responseBody,
    responseTruncated: exchange.responseTruncated,
    clockSkewMs: exchange.clockSkewMs,
    next: nextStep(decision),
  };
}

function nextStep(decision: Decision): NextStep {
  switch (decision.kind) {
    case 'delivered':
    case 'dead':
      return { state: decision.kind };
    case 'retry':
      return { retryInMs: decision.delayMs };
    case 'hold':
      return { hold: decision.reason, spendsAttempt: decision.spendsAttempt };
  }
}
