import {
  DATABASE,
  MicroBatch,
  putBack,
  record,
  take,
  type AttemptResult,
  type Database,
  type NotTaken,
  type Recorded,
  type Taken,
} from '#libs/database';
import { decide, DEFAULT_RETRY_SCHEDULE_MS, type Decision } from '#libs/delivery';
import type { Egress, Exchange } from '#libs/egress';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { notificationHeaders } from '#libs/signing';
import { redactHeaders, type CredentialCache, type Credentials } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { CREDENTIALS, EGRESS } from '../doors.js';
import { Enqueuer } from '../enqueuer.js';
import { USER_AGENT } from '../user-agent.js';
import { persist } from './persist.js';

/** What the job does next: it has served its purpose, or the same job comes back. */
export type JobEnd = { readonly kind: 'done' } | { readonly kind: 'comeBack'; readonly delayMs: number };

const DONE: JobEnd = { kind: 'done' };

/**
 * One attempt: take, sign, send, record. What the consumer or the network does is recorded and scheduled; a fault
 * of ours is thrown, has put the delivery back where it was, and spends nothing of the consumer's budget.
 */
@Injectable()
export class AttemptService {
  private readonly takes: MicroBatch<string, Taken | NotTaken>;
  private readonly records: MicroBatch<AttemptResult, Recorded>;

  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(EGRESS) private readonly egress: Egress,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly enqueuer: Enqueuer,
  ) {
    this.takes = new MicroBatch((ids) => take(this.db, ids));
    this.records = new MicroBatch((results) => record(this.db, results));
  }

  /** @throws a fault of ours; the caller lets the job come back. `signal` ends waiting when the process stops. */
  async attempt(deliveryId: string, signal: AbortSignal): Promise<JobEnd> {
    const taken = await this.takes.add(deliveryId);
    switch (taken.kind) {
      case 'finished':
      case 'held':
        return DONE;
      case 'unusable':
        throw new Error('its event, or credentials that are in force, cannot be found; restore them');
      case 'leased':
      case 'not_due':
        return { kind: 'comeBack', delayMs: taken.waitMs };
      case 'taken':
        return this.send(taken, signal);
    }
  }

  private async send(taken: Taken, signal: AbortSignal): Promise<JobEnd> {
    const exchange = await this.post(taken).catch(async (error: unknown) => {
      this.metrics.internalFaults.inc({ step: 'send' });
      await putBack(this.db, taken);
      throw error;
    });
    const schedule = taken.retrySchedule?.map((seconds) => seconds * 1_000) ?? DEFAULT_RETRY_SCHEDULE_MS;
    const decision = decide({
      outcome: exchange.outcome,
      attempt: taken.scheduleStep + 1,
      schedule,
      now: new Date(),
      random: Math.random(),
      retryAfterMs: exchange.retryAfterMs,
    });
    const result = resultOf(taken, exchange, decision);
    const { recorded, released } = await persist(
      () => this.records.add(result),
      signal,
      () => this.metrics.internalFaults.inc({ step: 'record' }),
    );
    this.enqueuer.enqueue(released);
    this.tell(taken, exchange, decision, recorded);
    // Another worker has the delivery: whatever comes next is that one's.
    if (!recorded) return DONE;
    return decision.kind === 'retry' ? { kind: 'comeBack', delayMs: decision.delayMs } : DONE;
  }

  private async post(taken: Taken): Promise<Exchange> {
    const credentials: Credentials = await this.credentials.get(taken.consumerId, taken.credentialVersion);
    return this.egress.post({
      url: taken.url,
      body: taken.body,
      timeoutMs: taken.timeoutMs,
      buildHeaders: (sentAtMs) =>
        notificationHeaders({
          secret: credentials.signingSecret,
          username: credentials.username,
          password: credentials.password,
          url: taken.url,
          body: taken.body,
          atMs: sentAtMs,
          unit: taken.timestampUnit,
          userAgent: USER_AGENT,
        }),
    });
  }

  private tell(taken: Taken, exchange: Exchange, decision: Decision, recorded: boolean): void {
    this.logger.info(
      {
        deliveryId: taken.deliveryId,
        notificationId: taken.notificationId,
        consumerId: taken.consumerId,
        attempt: taken.attempt,
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
    if (decision.kind === 'retry') return;
    this.metrics.deliveriesFinished.inc({ state: decision.kind });
    if (decision.kind === 'delivered') {
      this.metrics.acceptToDelivered.observe(Math.max(0, (Date.now() - taken.acceptedAt.getTime()) / 1_000));
    }
  }
}

function resultOf(taken: Taken, exchange: Exchange, decision: Decision): AttemptResult {
  return {
    deliveryId: taken.deliveryId,
    lease: taken.lease,
    outcome: exchange.outcome,
    httpStatus: exchange.httpStatus,
    detail: exchange.detail,
    startedAt: exchange.sentAt,
    durationMs: exchange.durationMs,
    url: taken.url,
    credentialVersion: taken.credentialVersion,
    requestHeaders: redactHeaders(exchange.requestHeaders),
    responseHeaders: exchange.responseHeaders,
    responseBody: exchange.responseBody,
    responseTruncated: exchange.responseTruncated,
    clockSkewMs: exchange.clockSkewMs,
    next: decision.kind === 'retry' ? { retryInMs: decision.delayMs } : { state: decision.kind },
  };
}
