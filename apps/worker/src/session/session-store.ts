import {
  auditTransition,
  closeSessions,
  fetchDeliveries,
  noteSecretFault,
  parkDeliveries,
  pauseByAnswer,
  pingDatabase,
  Pipeline,
  recordAttempts,
  writeHealth,
  type AttemptResult,
  type Closed,
  type EndingSession,
  type Fetched,
  type HealthChange,
  type SessionRequest,
  type Statements,
  type Transition,
} from '#libs/database';
import { Inject, Injectable } from '@nestjs/common';
import { circuitTransition } from './circuit-transition.js';

/** Results of one batch, and what follows from them for their consumers. */
export interface ToRecord {
  readonly results: readonly AttemptResult[];
  /** Ordered by consumer: every transaction locks the rows of consumers in this order. */
  readonly health: readonly HealthChange[];
  /** Consumers that have asked for a pause. */
  readonly pausing: readonly string[];
}

export interface Recorded {
  /** Consumers whose session number was still this worker's. Nothing was written for the others. */
  readonly held: ReadonlySet<string>;
  /** For the log, after the commit. */
  readonly transitions: readonly Transition[];
}

/** The database statements of delivery sessions. */
@Injectable()
export class SessionStore {
  constructor(@Inject(Pipeline) private readonly pipeline: Statements) {}

  fetch(requests: readonly SessionRequest[]): Promise<Fetched[]> {
    return fetchDeliveries(this.pipeline, requests);
  }

  /** Rejects when PostgreSQL does not answer in time on the connections that fetch and record. */
  ping(withinMs: number): Promise<void> {
    return pingDatabase(this.pipeline.db, withinMs);
  }

  park(blocked: Parameters<typeof parkDeliveries>[1]): Promise<void> {
    return parkDeliveries(this.pipeline, blocked);
  }

  close(sessions: readonly EndingSession[]): Promise<Closed[]> {
    return closeSessions(this.pipeline, sessions);
  }

  async record({ results, health, pausing }: ToRecord): Promise<Recorded> {
    if (health.length === 0 && pausing.length === 0)
      return { held: await recordAttempts(this.pipeline, results), transitions: [] };
    const transitions: Transition[] = [];
    const held = await recordAttempts(this.pipeline, results, async (trx, stillHeld) => {
      transitions.length = 0;
      for (const change of health) {
        if (!stillHeld.has(change.consumerId)) continue;
        const { consumerId, transition } = change;
        const times = await writeHealth(trx, change);
        if (transition !== null) transitions.push(circuitTransition(consumerId, transition, change, times));
      }
      for (const transition of transitions) await auditTransition(trx, transition);
      const stillPausing = pausing.filter((consumerId) => stillHeld.has(consumerId));
      transitions.push(...(await pauseByAnswer(trx, stillPausing)));
    });
    return { held, transitions };
  }

  noteSecretFault(consumerId: string, fault: string): Promise<Transition | undefined> {
    return noteSecretFault(this.pipeline.db, consumerId, fault);
  }
}
