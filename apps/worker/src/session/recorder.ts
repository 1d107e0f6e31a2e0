import { setTimeout as delay } from 'node:timers/promises';
import {
  DatabaseUnavailableError,
  isRefusal,
  isTransient,
  MicroBatch,
  reportTransitions,
  type AttemptResult,
  type HealthChange,
  type Transition,
} from '#libs/database';
import { observe, succeeds } from '#libs/policy';
import { LOGGER, measured, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { SessionStore, type Recorded, type ToRecord } from './session-store.js';
import type { DeliverySession } from './session.js';

const FIRST_DELAY_MS = 100;
/** Shorter than PostgreSQL has to answer before workers take jobs again: what was sent is recorded first. */
const LONGEST_DELAY_MS = 1_000;

interface Result {
  readonly session: DeliverySession;
  readonly result: AttemptResult;
}

export interface AttemptStore {
  /** Writes a batch in one transaction. */
  record(batch: ToRecord): Promise<Recorded>;
  /** Stops sending to a consumer whose credentials cannot be decrypted. */
  noteSecretFault(consumerId: string, fault: string): Promise<Transition | undefined>;
}

/** Records results of attempts; results of all sessions that arrive at the same time go in one message. */
@Injectable()
export class Recorder {
  private readonly batch: MicroBatch<Result, boolean>;
  private readonly stopping = new AbortController();

  constructor(
    @Inject(SessionStore) private readonly store: AttemptStore,
    @Inject(LOGGER) readonly logger: Logger,
    readonly metrics: Metrics,
  ) {
    this.batch = new MicroBatch(measured(metrics, 'record', (results) => this.writeAll(results)));
  }

  /**
   * Records one result and repeats this while PostgreSQL is unreachable: the consumer has its notification, and only the
   * record prevents that it is sent again. A consumer's header or body that the database refuses is left out.
   * @returns false when another worker has opened a session of the consumer since: nothing was written
   * @throws the last error when the process stops before PostgreSQL is reachable again
   */
  async record(session: DeliverySession, given: AttemptResult): Promise<boolean> {
    let result = given;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
      try {
        return await this.batch.add({ session, result });
      } catch (error) {
        this.metrics.internalFaults.inc({ step: 'record' });
        if (isRefusal(error) && result === given) {
          result = withoutEvidence(given);
          continue;
        }
        const mayPass = error instanceof DatabaseUnavailableError || isTransient(error);
        if (!mayPass || this.stopping.signal.aborted) throw error;
        await delay(delayMs, undefined, { signal: this.stopping.signal }).catch(() => {
          throw error;
        });
      }
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

  /** Two results of one delivery, of a former session and of this one, are written one after the other. */
  private async writeAll(batch: readonly Result[]): Promise<boolean[]> {
    const seen = new Set<string>();
    const isRepeated = ({ result }: Result): boolean => seen.size === seen.add(result.deliveryId).size;
    const at = batch.findIndex(isRepeated);
    if (at === -1) return this.write(batch);
    return [...(await this.write(batch.slice(0, at))), ...(await this.writeAll(batch.slice(at)))];
  }

  private async write(batch: readonly Result[]): Promise<boolean[]> {
    const atMs = performance.now();
    // By consumer, the lock order of all transactions: no accept that holds one row waits for another one of these.
    const bySession = [...Map.groupBy(batch, ({ session }) => session)].toSorted(([a], [b]) =>
      a.consumerId < b.consumerId ? -1 : 1,
    );
    const succeeded = new Set(
      batch.flatMap(({ session, result }) => (succeeds(result.outcome) ? [session] : [])),
    );
    const health = bySession.flatMap(([session, own]): HealthChange[] => {
      const before = session.health;
      const results = own.map(({ result }) => result);
      const isHealthy = before.failures === 0 && before.circuit === null;
      if (isHealthy && results.every(({ outcome }) => succeeds(outcome))) return [];
      const observations = results.map(({ deliveryId, outcome, probe }) => ({
        deliveryId,
        atMs,
        succeeded: succeeds(outcome),
        probe,
      }));
      const lastSuccessAtMs = succeeded.has(session) ? atMs : session.lastSuccessAtMs;
      return [{ consumerId: session.consumerId, before, lastSuccessAtMs, ...observe(before, observations) }];
    });
    const { held, transitions } = await this.store.record({
      results: batch.map(({ result }) => result),
      health,
      pausing: bySession.flatMap(([session, own]) =>
        own.some(({ result }) => result.pausesConsumer) ? [session.consumerId] : [],
      ),
    });
    const newHealth = new Map(health.map((change) => [change.consumerId, change.health]));
    const nowMs = performance.now();
    for (const [session] of bySession) {
      if (!held.has(session.consumerId)) {
        session.stop('fenced');
        continue;
      }
      const changed = newHealth.get(session.consumerId);
      if (changed !== undefined) session.noteHealth(changed, nowMs);
      if (succeeded.has(session)) session.lastSuccessAtMs = atMs;
    }
    reportTransitions(this, transitions);
    return batch.map(({ session }) => held.has(session.consumerId));
  }
}

const withoutEvidence = (result: AttemptResult): AttemptResult => ({
  ...result,
  detail: 'the answer could not be kept',
  responseHeaders: null,
  responseBody: null,
  clockSkewMs: null,
});
