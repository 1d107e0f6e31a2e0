import { setTimeout as delay } from 'node:timers/promises';
import {
  codeOf,
  DatabaseUnavailableError,
  isRefusal,
  isTransient,
  MicroBatch,
  reportTransitions,
  type AttemptResult,
  type HealthChange,
  type HealthCounts,
} from '#libs/database';
import { CONFIG, type Config } from '#libs/config';
import { observe, succeeds, type Observation } from '#libs/policy';
import { LOGGER, measured, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { SessionStore } from './session-store.js';
import type { DeliverySession } from './session.js';

const FIRST_DELAY_MS = 100;
/** Shorter than PostgreSQL has to answer before workers take jobs again: what was sent is recorded first. */
const LONGEST_DELAY_MS = 1_000;
/** The pause before the second try to record a result that PostgreSQL refuses, and the longest one. */
const REFUSED_DELAY_MS = 1_000;
const LONGEST_REFUSED_DELAY_MS = 60_000;

/**
 * A record on which nothing waits is gathered with others, since one of two results costs half as much as two. The part of
 * the slots is what results that wait may occupy.
 */
const GATHER = { forMs: 100, ofSlots: 1 / 8 } as const;

interface Result {
  readonly session: DeliverySession;
  readonly result: AttemptResult;
}

/** Records results of attempts; results of all sessions that arrive at the same time go in one message. */
@Injectable()
export class Recorder {
  private readonly batch: MicroBatch<Result, boolean>;
  private readonly stopping = new AbortController();

  constructor(
    @Inject(SessionStore) private readonly store: Pick<SessionStore, 'record' | 'hold' | 'noteSecretFault'>,
    @Inject(LOGGER) readonly logger: Logger,
    readonly metrics: Metrics,
    @Inject(CONFIG) { workerConcurrency }: Pick<Config, 'workerConcurrency'>,
  ) {
    this.batch = new MicroBatch(
      measured(metrics, 'record', (results) => this.writeAll(results)),
      { gather: { forMs: GATHER.forMs, items: workerConcurrency * GATHER.ofSlots } },
    );
  }

  /**
   * Records one result and repeats this until it succeeds: the consumer has its notification, and only the record
   * prevents that it is sent again. A consumer's header or body that the database refuses is left out. A result that it
   * refuses for another reason is tried again with longer pauses, while its delivery is held and shown to operators.
   * @returns false when another worker has the delivery: nothing was written
   * @throws the last error when the process stops before the result is recorded
   */
  async record(session: DeliverySession, given: AttemptResult): Promise<boolean> {
    let result = given;
    let isHeld = false;
    for (
      let delayMs = FIRST_DELAY_MS, longestMs = LONGEST_DELAY_MS;
      ;
      delayMs = Math.min(delayMs * 2, longestMs)
    ) {
      try {
        return await this.batch.add({ session, result }, { mayWait: mayWait(session, result) });
      } catch (error) {
        this.metrics.internalFaults.inc({ step: 'record' });
        if (isRefusal(error) && result === given) {
          result = withoutEvidence(given);
          continue;
        }
        if (this.stopping.signal.aborted) throw error;
        if (!(error instanceof DatabaseUnavailableError) && !isTransient(error)) {
          isHeld ||= await this.hold(session, result, error);
          delayMs = Math.max(delayMs, REFUSED_DELAY_MS);
          longestMs = LONGEST_REFUSED_DELAY_MS;
        }
        await delay(delayMs, undefined, { signal: this.stopping.signal }).catch(() => {
          throw error;
        });
      }
    }
  }

  /** Holds a delivery whose result PostgreSQL refuses. @returns false if it refuses that too: then the session holds it */
  private async hold(
    session: DeliverySession,
    { deliveryId, consumerId, session: number }: AttemptResult,
    refusal: unknown,
  ): Promise<boolean> {
    this.logger.error({ deliveryId, consumerId, sqlState: codeOf(refusal) }, 'delivery.record_refused');
    try {
      await this.store.hold({ deliveryId, consumerId, session: number });
      session.finish(deliveryId, performance.now());
      return true;
    } catch {
      return false;
    }
  }

  /** Stops sending to a consumer whose credentials cannot be decrypted, until they can. Never rejects. */
  async noteSecretFault(consumerId: string, fault: string): Promise<void> {
    try {
      const transition = await this.store.noteSecretFault(consumerId, fault);
      if (transition !== undefined) reportTransitions(this, [transition]);
    } catch {
      // The next attempt notes it.
      this.metrics.internalFaults.inc({ step: 'record' });
    }
  }

  /** Stops waiting for an unreachable PostgreSQL: another worker sends again what is not recorded by now. */
  abandon(): void {
    this.stopping.abort();
  }

  /**
   * Two results of one delivery are written one after the other; and so are results of two sessions of one consumer,
   * since the number of only one of them can be in force.
   */
  private async writeAll(batch: readonly Result[]): Promise<boolean[]> {
    const deliveries = new Set<string>();
    const sessions = new Map<string, number>();
    const at = batch.findIndex(({ result: { deliveryId, consumerId, session } }) => {
      const isRepeated = deliveries.has(deliveryId) || (sessions.get(consumerId) ?? session) !== session;
      deliveries.add(deliveryId);
      sessions.set(consumerId, session);
      return isRepeated;
    });
    if (at === -1) return this.write(batch);
    return [...(await this.write(batch.slice(0, at))), ...(await this.writeAll(batch.slice(at)))];
  }

  private async write(batch: readonly Result[]): Promise<boolean[]> {
    const atMs = performance.now();
    // By consumer, the lock order of all transactions: no accept that holds one row waits for another one of these.
    const bySession = [...Map.groupBy(batch, ({ session }) => session)].toSorted(([a], [b]) =>
      a.consumerId < b.consumerId ? -1 : 1,
    );
    const changes = bySession.flatMap(([session, own]): SessionHealth[] => {
      const results = own.map(({ result }) => result);
      const before = session.health;
      const isHealthy = before.failures === 0 && before.circuit === null;
      if (isHealthy && results.every(({ outcome }) => succeeds(outcome))) return [];
      const observations = results.map(({ deliveryId, outcome, probe }) => ({
        deliveryId,
        atMs,
        succeeded: succeeds(outcome),
        probe,
      }));
      const lastSuccessAtMs = results.some(({ outcome }) => succeeds(outcome))
        ? atMs
        : session.lastSuccessAtMs;
      const { consumerId } = session;
      return [
        { session, observations, consumerId, before, lastSuccessAtMs, ...observe(before, observations) },
      ];
    });
    const own = changes.filter(({ session }) => !session.isLeft);
    const { held, fenced, released, transitions } = await this.store.record({
      results: batch.map(({ result }) => result),
      counts: own.filter(({ transition }) => transition === null).map(countsOf),
      circuits: own.filter(({ transition }) => transition !== null),
      elsewhere: changes.filter(({ session }) => session.isLeft),
      pausing: batch.flatMap(({ result }) => (result.pausesConsumer ? [result] : [])),
    });
    const nowMs = performance.now();
    for (const [session, results] of bySession) {
      if (session.isLeft) continue;
      if (!held.has(session.consumerId)) {
        session.stop('fenced');
        continue;
      }
      if (results.some(({ result }) => succeeds(result.outcome))) session.lastSuccessAtMs = atMs;
      if (released.has(session.consumerId)) session.isHinted = true;
    }
    for (const { session, health } of own)
      if (held.has(session.consumerId)) session.noteHealth(health, nowMs);
    reportTransitions(this, transitions);
    return batch.map(({ result }) => !fenced.has(result.deliveryId));
  }
}

/** Nothing waits for the record: no failure, no further delivery, and no limit that the delivery in flight counts for. */
const mayWait = (session: DeliverySession, { outcome }: AttemptResult): boolean =>
  succeeds(outcome) && !session.mayHaveMore && session.capacity(performance.now()) > 0;

interface SessionHealth extends HealthChange {
  readonly session: DeliverySession;
  readonly observations: readonly Observation[];
}

function countsOf({ consumerId, before, health, lastSuccessAtMs }: HealthChange): HealthCounts {
  const nowMs = performance.now();
  const ago = (atMs: number | null): number | null => (atMs === null ? null : nowMs - atMs);
  return {
    consumerId,
    failures: health.failures,
    failedDeliveries: health.failedDeliveries,
    isSameRun: health.firstFailureAtMs === before.firstFailureAtMs,
    failingForMs: ago(health.firstFailureAtMs),
    succeededMsAgo: ago(lastSuccessAtMs),
  };
}

const withoutEvidence = (result: AttemptResult): AttemptResult => ({
  ...result,
  detail: 'the answer could not be kept',
  responseHeaders: null,
  responseBody: null,
  clockSkewMs: null,
});
