import type { Transition } from '#libs/database';
import type { Health, Observed } from '#libs/policy';

/** The audit and log entry of a circuit that has changed from `before` to `health`. */
export function circuitTransition(
  consumerId: string,
  transition: NonNullable<Observed['transition']>,
  { before, health: { failures, circuit }, at }: { before: Health; health: Health; at: Date },
): Transition {
  const nextProbeAt = circuit?.nextProbeAt.toISOString();
  switch (transition) {
    case 'opened':
      return { consumerId, kind: 'circuit_opened', details: { failures, nextProbeAt } };
    case 'probe_failed':
      return {
        consumerId,
        kind: 'probe_failed',
        details: { failedProbes: circuit?.failedProbes, nextProbeAt },
      };
    case 'closed': {
      const openedAt = before.circuit?.openedAt ?? at;
      return {
        consumerId,
        kind: 'circuit_closed',
        details: {
          openedAt: openedAt.toISOString(),
          downtimeMs: Math.max(0, at.getTime() - openedAt.getTime()),
          failedProbes: before.circuit?.failedProbes ?? 0,
        },
      };
    }
  }
}
