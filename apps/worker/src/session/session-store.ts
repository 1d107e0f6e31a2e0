import {
  auditTransition,
  fetchDeliveries,
  holdUnrecorded,
  leaveSessions,
  lockHealth,
  noteSecretFault,
  parkDeliveries,
  pauseByAnswer,
  pingDatabase,
  Pipeline,
  recordAttempts,
  writeHealth,
  type AttemptResult,
  type BlockedDelivery,
  type CircuitTimes,
  type Fetched,
  type HealthChange,
  type HealthCounts,
  type LeavingSession,
  type SessionRequest,
  type Statements,
  type Transition,
  type Unrecorded,
} from '#libs/database';
import { observe, type Observation, type Observed } from '#libs/policy';
import { Inject, Injectable } from '@nestjs/common';

/** Results of one batch, and what follows from them for their consumers. */
export interface ToRecord {
  readonly results: readonly AttemptResult[];
  /** New counts of failures; written in the same message. The others need a transaction of several messages. */
  readonly counts: readonly HealthCounts[];
  /** Circuits that open, close or stay open. Ordered by consumer: every transaction locks their rows in this order. */
  readonly circuits: readonly HealthChange[];
  /** Answers of consumers whose session is another one now, which also has their health. */
  readonly elsewhere: readonly {
    readonly consumerId: string;
    readonly observations: readonly Observation[];
  }[];
  /** Results whose consumers have asked for a pause. */
  readonly pausing: readonly Pick<AttemptResult, 'consumerId' | 'deliveryId'>[];
}

export interface RecordedBatch {
  /** Consumers whose session number was still this worker's. */
  readonly held: ReadonlySet<string>;
  /** Deliveries of which nothing was written, since another session has them. */
  readonly fenced: ReadonlySet<string>;
  /** Consumers with a next status of a payment that became due. */
  readonly released: ReadonlySet<string>;
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

  park(blocked: readonly BlockedDelivery[]): Promise<void> {
    return parkDeliveries(this.pipeline, blocked);
  }

  leave(sessions: readonly LeavingSession[]): Promise<void> {
    return leaveSessions(this.pipeline, sessions);
  }

  async record({ results, counts, circuits, elsewhere, pausing }: ToRecord): Promise<RecordedBatch> {
    if (circuits.length + elsewhere.length + pausing.length === 0)
      return { ...(await recordAttempts(this.pipeline, results, { counts })), transitions: [] };
    const transitions: Transition[] = [];
    const recorded = await recordAttempts(this.pipeline, results, {
      counts,
      also: async (trx, { held, fenced }) => {
        transitions.length = 0;
        const write = async (change: HealthChange): Promise<void> => {
          const times = await writeHealth(trx, change);
          const { consumerId, transition } = change;
          if (transition !== null) transitions.push(circuitTransition(consumerId, transition, change, times));
        };
        for (const change of circuits) if (held.has(change.consumerId)) await write(change);
        for (const { consumerId, observations } of elsewhere) {
          const before = await lockHealth(trx, consumerId);
          if (before === undefined) continue;
          const own = observations.filter(({ deliveryId }) => !fenced.has(deliveryId));
          await write({ consumerId, before, lastSuccessAtMs: null, ...observe(before, own) });
        }
        for (const transition of transitions) await auditTransition(trx, transition);
        const pausedBy = pausing.filter(({ deliveryId }) => !fenced.has(deliveryId));
        transitions.push(
          ...(await pauseByAnswer(
            trx,
            pausedBy.map(({ consumerId }) => consumerId),
          )),
        );
      },
    });
    return { ...recorded, transitions };
  }

  hold(unrecorded: Unrecorded): Promise<void> {
    return holdUnrecorded(this.pipeline.db, unrecorded);
  }

  noteSecretFault(consumerId: string, fault: string): Promise<Transition | undefined> {
    return noteSecretFault(this.pipeline.db, consumerId, fault);
  }
}

/** The audit and log entry of a circuit that has changed, with PostgreSQL's times. */
function circuitTransition(
  consumerId: string,
  transition: NonNullable<Observed['transition']>,
  { before, health: { failures, circuit } }: Pick<HealthChange, 'before' | 'health'>,
  times: CircuitTimes,
): Transition {
  const nextProbeAt = times.nextProbeAt?.toISOString();
  switch (transition) {
    case 'opened':
      return { consumerId, kind: 'circuit_opened', details: { failures, nextProbeAt } };
    case 'probe_failed':
      return {
        consumerId,
        kind: 'probe_failed',
        details: { failedProbes: circuit?.failedProbes, nextProbeAt },
      };
    case 'closed':
      return {
        consumerId,
        kind: 'circuit_closed',
        details: {
          openedAt: times.openedAt.toISOString(),
          downtimeMs: Math.max(0, times.writtenAt.getTime() - times.openedAt.getTime()),
          failedProbes: before.circuit?.failedProbes ?? 0,
        },
      };
  }
}
