import type { HoldReason } from '#libs/contracts';
import { admit, type Admission } from '#libs/delivery';
import type { Database } from '../connection.js';
import { lockForAdmission, readAdmissionFacts } from './admission-facts.js';
import { pipelined } from '../pipelined.js';
import { applyAdmissions, type Moved } from './apply-admissions.js';
import type { Taken } from './taken.js';

/** Why a delivery was not leased. `waitMs` is counted by PostgreSQL's clock, the only one that all share. */
export type NotTaken =
  | { readonly kind: 'finished' }
  /** Its event, or credentials in force, cannot be found: a fault of ours that must not touch its neighbours. */
  | { readonly kind: 'unusable' }
  /**
   * `atGateOf`: this take has put it on hold, and what held it may have ended before the hold was committed. Behind
   * its payment's earlier ones too it leaves a place in that consumer's window: ask `topUp` once more.
   */
  | { readonly kind: 'held'; readonly reason: HoldReason; readonly atGateOf: string | null }
  | { readonly kind: 'leased'; readonly waitMs: number }
  | { readonly kind: 'not_due'; readonly waitMs: number; readonly consumerId: string };

/**
 * **take**: leases deliveries to the caller, one attempt each, and says why not otherwise. libs/delivery decides
 * (`admit`); the locks make its facts true until the commit. A lease that ran out (its worker died) may be taken
 * anew; `lease` then grows, and the former holder's `record` changes nothing.
 *
 * The commit does not wait for the disk. A server that crashes within the next moments forgets leases, and what was
 * sent under them is sent again, as after any crash between sending and recording; the record of a forgotten lease
 * changes nothing. Nothing that was accepted or recorded depends on it.
 * @returns one answer an id, in order
 */
export async function take(db: Database, ids: readonly string[]): Promise<(Taken | NotTaken)[]> {
  return pipelined(db, async (trx, commit) => {
    const locking = lockForAdmission(trx, ids, 'lazy');
    const [, facts] = await Promise.all([locking, readAdmissionFacts(trx, ids)]);
    const admissions = new Map<string, Admission & { readonly consumerId: string }>();
    const moved: Moved[] = [];
    for (const { consumerId, gate, candidates } of facts) {
      const admitted = admit(gate, candidates);
      candidates.forEach(({ id }, index) => {
        const admission = admitted.admissions[index];
        if (admission !== undefined) admissions.set(id, { ...admission, consumerId });
      });
      const probes = admitted.admissions.some((admission) => admission.kind === 'lease' && admission.probe);
      const isPaced = gate.maxPerSecond !== null;
      if (probes || isPaced) {
        const { nextSendInMs, nextSlotInMs } = admitted;
        moved.push({ consumerId, probes, pace: isPaced ? { nextSendInMs, nextSlotInMs } : null });
      }
    }
    const applying = applyAdmissions(trx, admissions, moved);
    commit();
    const taken = await applying;
    const leased = new Set<string>();
    return ids.map((id) => {
      // Two jobs may bring the same delivery at once: one of them gets it.
      if (leased.has(id)) return { kind: 'leased', waitMs: taken.get(id)?.leaseMs ?? 0 };
      if (taken.has(id)) leased.add(id);
      return answer(admissions.get(id), taken.get(id));
    });
  });
}

function answer(
  admission: (Admission & { readonly consumerId: string }) | undefined,
  taken: Taken | undefined,
): Taken | NotTaken {
  if (admission === undefined) return { kind: 'finished' };
  switch (admission.kind) {
    case 'lease':
      return taken ?? { kind: 'unusable' };
    case 'hold': {
      const { reason, consumerId } = admission;
      return { kind: 'held', reason, atGateOf: consumerId };
    }
    case 'held':
      return { kind: 'held', reason: admission.reason, atGateOf: null };
    case 'reserve':
      return { kind: 'not_due', waitMs: admission.inMs, consumerId: admission.consumerId };
    case 'leased':
      return { kind: 'leased', waitMs: admission.waitMs };
    case 'not_due':
      return { kind: 'not_due', waitMs: admission.waitMs, consumerId: admission.consumerId };
    case 'finished':
    case 'unusable':
      return { kind: admission.kind };
  }
}
