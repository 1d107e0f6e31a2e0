import { setTimeout as delay } from 'node:timers/promises';
import {
  auditTransition,
  DatabaseUnavailableError,
  isRefusal,
  isTransient,
  MicroBatch,
  noteSecretFault,
  pauseByAnswer,
  Pipeline,
  recordAttempts,
  reportTransitions,
  writeHealth,
  type AttemptResult,
  type Statements,
  type Transition,
} from '#libs/database';
import { observe, succeeds, type Health, type Observed } from '#libs/policy';
import { LOGGER, measured, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { circuitTransition } from './circuit-transition.js';
import type { DeliverySession } from './session.js';

const FIRST_DELAY_MS = 100;
const MOST_DELAY_MS = 2_000;

interface ToRecord {
  readonly session: DeliverySession;
  readonly result: AttemptResult;
}

/**
 * Records results of attempts, those of all sessions that come at the same time in one message. With them it writes what
 * they say of their consumers: failures in a row, an opened or closed circuit, a pause that the consumer asks for.
 */
@Injectable()
export class Recorder {
  private readonly batch: MicroBatch<ToRecord, boolean>;
  private readonly stopping = new AbortController();

  constructor(
    @Inject(Pipeline) private readonly pipeline: Statements,
    @Inject(LOGGER) readonly logger: Logger,
    readonly metrics: Metrics,
  ) {
    this.batch = new MicroBatch(measured(metrics, 'record', (results) => this.write(results)));
  }

  /**
   * Records one result, and repeats it until PostgreSQL is back: the consumer has its notification, and only the record
   * keeps it from being sent a second time. What the database refuses to hold (a consumer's odd header or body) is recorded
   * without it. Ends early, with the last fault, when the process stops.
   * @returns false when another worker has opened a session of the consumer since: nothing was written
   */
  async record(session: DeliverySession, given: AttemptResult): Promise<boolean> {
    let result = given;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MOST_DELAY_MS)) {
      try {
        return await this.batch.add({ session, result });
      } catch (error) {
        this.metrics.internalFaults.inc({ step: 'record' });
        if (isRefusal(error) && result === given) {
          result = withoutEvidence(given);
          continue;
        }
        const passes = error instanceof DatabaseUnavailableError || isTransient(error);
        if (!passes || this.stopping.signal.aborted) throw error;
        // Rejects when aborted; the fault says more than the abort.
        await delay(delayMs, undefined, { signal: this.stopping.signal }).catch(() => {
          throw error;
        });
      }
    }
  }

  /** The consumer's credentials cannot be decrypted: nothing more is sent to it until they can. Never rejects. */
  async noteSecretFault(consumerId: string, fault: string): Promise<void> {
    try {
      const transition = await noteSecretFault(this.pipeline.db, consumerId, fault);
      if (transition !== undefined) reportTransitions(this, [transition]);
    } catch {
      // The next attempt notes it.
      this.metrics.internalFaults.inc({ step: 'record' });
    }
  }

  /** Ends waiting for a PostgreSQL that is away: what is not recorded by now is sent again. */
  abandon(): void {
    this.stopping.abort();
  }

  private async write(batch: readonly ToRecord[]): Promise<boolean[]> {
    const at = new Date();
    const changes = healthChanges(batch, at);
    const successes = new Map(
      batch.flatMap(({ session, result }) => (succeeds(result.outcome) ? [[session, at] as const] : [])),
    );
    const pausing = new Set(
      batch.flatMap(({ result }) => (result.pausesConsumer ? [result.consumerId] : [])),
    );
    const transitions: Transition[] = [];
    const results = batch.map(({ result }) => result);
    const held =
      changes.length === 0 && pausing.size === 0
        ? await recordAttempts(this.pipeline, results)
        : await recordAttempts(this.pipeline, results, async (trx, stillHeld) => {
            transitions.length = 0;
            for (const { session, before, health, transition } of changes) {
              if (!stillHeld.has(session.consumerId)) continue;
              await writeHealth(trx, session.consumerId, health, {
                circuit: transition !== null,
                lastSuccessAt: successes.get(session) ?? session.lastSuccessAt,
              });
              if (transition !== null)
                transitions.push(circuitTransition(session.consumerId, transition, { before, health, at }));
            }
            for (const transition of transitions) await auditTransition(trx, transition);
            transitions.push(
              ...(await pauseByAnswer(
                trx,
                [...pausing].filter((id) => stillHeld.has(id)),
              )),
            );
          });
    const nowMs = performance.now();
    for (const { session, health } of changes)
      if (held.has(session.consumerId)) session.noteHealth(health, nowMs);
    for (const session of successes.keys()) if (held.has(session.consumerId)) session.lastSuccessAt = at;
    reportTransitions(this, transitions);
    return batch.map(({ session }) => {
      const isHeld = held.has(session.consumerId);
      if (!isHeld) session.stop('fenced');
      return isHeld;
    });
  }
}

interface HealthChange extends Observed {
  readonly session: DeliverySession;
  readonly before: Health;
}

/**
 * How the consumers' health changes by these results; nothing for those whose health stays as it is. By consumer, which is
 * the order in which everybody locks their rows: an accept that holds one and waits for the next is not waited for.
 */
function healthChanges(batch: readonly ToRecord[], at: Date): HealthChange[] {
  const bySession = [...Map.groupBy(batch, ({ session }) => session)].toSorted(([a], [b]) =>
    a.consumerId < b.consumerId ? -1 : 1,
  );
  return bySession.flatMap(([session, own]) => {
    const isHealthy = session.health.failures === 0 && session.health.circuit === null;
    if (isHealthy && own.every(({ result }) => succeeds(result.outcome))) return [];
    const observations = own.map(({ result }) => ({
      deliveryId: result.deliveryId,
      at,
      succeeded: succeeds(result.outcome),
      probe: result.probe,
    }));
    return [{ session, before: session.health, ...observe(session.health, observations) }];
  });
}

const withoutEvidence = (result: AttemptResult): AttemptResult => ({
  ...result,
  detail: 'the answer could not be kept',
  responseHeaders: null,
  responseBody: null,
  clockSkewMs: null,
});
