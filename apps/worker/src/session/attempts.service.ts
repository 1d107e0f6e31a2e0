import type { AttemptResult, FetchedConsumer, FetchedDelivery, NextStep } from '#libs/database';
import { decide, DEFAULT_RETRY_SCHEDULE_MS, succeeds, type Decision } from '#libs/policy';
import type { Egress, Exchange } from '#libs/egress';
import { faultText } from '#libs/observability';
import { signedHeaders } from '#libs/signing';
import { keepableExchange, UndecryptableError, type CredentialCache, type Credentials } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { CREDENTIALS, EGRESS } from '../providers.js';
import { AttemptReport, type AttemptTrace } from './attempt-report.js';
import { Recorder } from './recorder.js';
import type { DeliverySession } from './session.js';
import { StallWatch } from './stall-watch.js';

/** How and when a delivery is sent. */
export interface Sending {
  /** A probe shows whether a consumer with an open circuit answers again; it spends no attempt. */
  readonly probe: boolean;
  /** Resolves when `maxPerSecond` allows it. */
  readonly turn: Promise<void>;
}

/**
 * One attempt: sign, send, decide, record. A failure of the consumer or the network is recorded and scheduled. An internal
 * error before the request is sent changes nothing in PostgreSQL: the delivery stays due and no attempt is spent. Once
 * there is a result, only its record is repeated, never the request.
 */
@Injectable()
export class Attempts {
  constructor(
    @Inject(EGRESS) private readonly egress: Pick<Egress, 'post'>,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    @Inject(Recorder) private readonly recorder: Pick<Recorder, 'record' | 'noteSecretFault'>,
    @Inject(StallWatch) private readonly stalls: Pick<StallWatch, 'stalledSince'>,
    @Inject(AttemptReport)
    private readonly report: Pick<
      AttemptReport,
      'begin' | 'noteCertificate' | 'attempted' | 'notSent' | 'notRecorded'
    >,
  ) {}

  /** Resolves when the result is recorded, or will never be. Never rejects. */
  async attempt(
    session: DeliverySession,
    delivery: FetchedDelivery,
    { probe, turn }: Sending,
  ): Promise<void> {
    await turn;
    const { consumer, number } = session;
    if (consumer === null || number === null)
      throw new Error('the session that fetched this delivery is not open');
    const trace = this.report.begin(consumer, delivery);
    let exchange: Exchange;
    try {
      exchange = await this.send(session, consumer, delivery, trace);
    } catch (error) {
      session.deferAfterFault(delivery.id, performance.now());
      trace.end(faultText(error));
      if (error instanceof UndecryptableError)
        await this.recorder.noteSecretFault(consumer.consumerId, error.message);
      else this.report.notSent(delivery, trace, error);
      return;
    }
    const decision = decide({
      outcome: exchange.outcome,
      httpStatus: exchange.httpStatus,
      probe,
      attempt: delivery.scheduleStep + 1,
      schedule: consumer.retrySchedule?.map((seconds) => seconds * 1_000) ?? DEFAULT_RETRY_SCHEDULE_MS,
      random: Math.random(),
      retryAfterMs: exchange.retryAfterMs,
    });
    session.noteAnswer(succeeds(exchange.outcome), performance.now());
    const result = resultOf({ consumer, number, delivery, exchange, decision, probe });
    try {
      const recorded = await trace.step('record', () => this.recorder.record(session, result));
      this.report.attempted({ delivery, result, decision, recorded, trace });
      session.finish(delivery.id, performance.now());
      trace.end();
    } catch (error) {
      session.deferAfterFault(delivery.id, performance.now());
      trace.end(faultText(error));
      this.report.notRecorded(delivery, trace, error);
    }
  }

  private async send(
    session: DeliverySession,
    consumer: FetchedConsumer,
    delivery: FetchedDelivery,
    trace: AttemptTrace,
  ): Promise<Exchange> {
    const { body } = delivery;
    const version = consumer.credentialVersion;
    if (body === null || version === null)
      throw new Error('its event, or credentials in force, cannot be found; restore them');
    const startedAtMs = performance.now();
    const credentials = await this.credentials.get(consumer.consumerId, version);
    const exchange = await trace.post((traceparent) =>
      this.post(session, consumer, delivery.id, body, credentials, traceparent),
    );
    if (exchange.httpStatus === null && this.stalls.stalledSince(startedAtMs))
      throw new Error('the process was suspended while it waited for the answer; the attempt does not count');
    this.report.noteCertificate(consumer, exchange);
    return keepableExchange(exchange, credentials);
  }

  private post(
    session: DeliverySession,
    consumer: FetchedConsumer,
    deliveryId: string,
    body: string,
    credentials: Credentials,
    traceparent: string | null,
  ): Promise<Exchange> {
    return this.egress.post({
      url: consumer.url,
      body,
      timeoutMs: consumer.timeoutMs,
      tls: {
        caCertificate: consumer.caCertificate ?? undefined,
        clientCertificate: credentials.clientCertificate,
      },
      buildHeaders: (sentAtMs) => {
        session.goesOnTheWire(deliveryId, performance.now());
        const headers = signedHeaders({ ...consumer, body }, credentials, sentAtMs);
        return traceparent === null ? headers : { ...headers, traceparent };
      },
    });
  }
}

function resultOf(of: {
  readonly consumer: FetchedConsumer;
  readonly number: number;
  readonly delivery: FetchedDelivery;
  readonly exchange: Exchange;
  readonly decision: Decision;
  readonly probe: boolean;
}): AttemptResult {
  const { consumer, number, delivery, exchange, decision, probe } = of;
  return {
    consumerId: consumer.consumerId,
    session: number,
    deliveryId: delivery.id,
    number: delivery.attempts + 1,
    scheduleStep: delivery.scheduleStep,
    outcome: exchange.outcome,
    httpStatus: exchange.httpStatus,
    detail: exchange.detail,
    startedAt: exchange.sentAt,
    durationMs: exchange.durationMs,
    url: consumer.url,
    remoteAddress: exchange.remoteAddress,
    credentialVersion: consumer.credentialVersion ?? 0,
    requestHeaders: { ...exchange.requestHeaders },
    responseHeaders: exchange.responseHeaders,
    responseBody: exchange.responseBody,
    responseTruncated: exchange.responseTruncated,
    clockSkewMs: exchange.clockSkewMs,
    probe,
    next: nextStep(decision),
    pausesConsumer: decision.kind === 'hold' && decision.reason === 'paused',
  };
}

function nextStep(decision: Decision): NextStep {
  switch (decision.kind) {
    case 'delivered':
    case 'dead':
      return { state: decision.kind };
    case 'retry':
      return { retryInMs: decision.delayMs, spendsAttempt: true };
    case 'hold':
      return { retryInMs: 0, spendsAttempt: decision.spendsAttempt };
  }
}
