import type { Transition } from '#libs/database';
import type { Health, Observed } from '#libs/policy';

/** What to report of a circuit that has changed; `health` is the consumer's from now on. */
export function circuitTransition(
  consumerId: string,
  transition: NonNullable<Observed['transition']>,
  { failures, circuit }: Health,
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
    case 'closed':
      return { consumerId, kind: 'circuit_closed', details: {} };
  }
}
