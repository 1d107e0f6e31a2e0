import type { CircuitTimes, HealthChange, Transition } from '#libs/database';
import type { Observed } from '#libs/policy';

/** The audit and log entry of a circuit that has changed, with PostgreSQL's times. */
export function circuitTransition(
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
