import type { HoldReason, OpenState } from '#libs/contracts';

/** Reasons that lie with the consumer, not with the payment: its gate. `order` is the lane's. */
export type GateReason = Exclude<HoldReason, 'order'>;

/** How far ahead a delivery over `maxPerSecond` is given its own moment; what would come later waits, held. */
export const RATE_HORIZON_MS = 2_000;

/** A job may come this much before its time: the clocks of the queue and of PostgreSQL differ. */
const EARLY_MS = 250;

/** What stands at one consumer's gate, read under its lock. Times are milliseconds from now, by PostgreSQL's clock. */
export interface Gate {
  readonly removed: boolean;
  /** The consumer, or the whole dispatcher. */
  readonly paused: boolean;
  /** Its credentials could not be decrypted when they were last tried. */
  readonly secretFault: boolean;
  /** Null while the circuit is closed, else when the next probe is due. */
  readonly probeInMs: number | null;
  /** Deliveries leased at this moment, over all workers. */
  readonly sending: number;
  readonly maxConcurrency: number;
  readonly maxPerSecond: number | null;
  /** When `maxPerSecond` allows the next POST; in the past when it has allowed one for long. */
  readonly nextSendInMs: number;
}

/** A delivery whose job has come. */
export interface Candidate {
  readonly state: OpenState;
  readonly holdReason: HoldReason | null;
  /** What is left of its lease; zero or less when it ran out. Null unless `sending`. */
  readonly leaseInMs: number | null;
  /** Until its next attempt; zero or less when it is due. */
  readonly dueInMs: number;
  /** The rate has already given it this moment. */
  readonly reserved: boolean;
  /** An earlier status of its payment is not finished. False when the consumer takes them in any order. */
  readonly behind: boolean;
  /** Its event and its consumer's credentials are there. */
  readonly usable: boolean;
}

export type Admission =
  | { readonly kind: 'lease'; readonly probe: boolean }
  | { readonly kind: 'hold'; readonly reason: HoldReason }
  /** Over `maxPerSecond`: it stays queued and has its own moment, so that it is not refused then. */
  | { readonly kind: 'reserve'; readonly inMs: number }
  /** Nothing is changed: it is as another has left it. */
  | { readonly kind: 'held'; readonly reason: HoldReason }
  | { readonly kind: 'leased' | 'not_due'; readonly waitMs: number }
  | { readonly kind: 'finished' | 'unusable' };

export interface Admitted {
  /** One a candidate, in order. */
  readonly admissions: readonly Admission[];
  /** Leases given, probes included. */
  readonly leased: number;
  readonly nextSendInMs: number;
}

/**
 * **take**'s decision for one consumer: which of its deliveries go now, and why the others do not. The first
 * reason that applies is the one that is shown: the payment's own order, then what holds the whole consumer
 * (paused, secret, circuit), then its limits.
 *
 * An open circuit lets one delivery through when a probe is due, whichever comes: the next probe takes another.
 * `maxPerSecond` is kept evenly (a generic cell rate without burst), so no second, wherever it begins, has more.
 */
export function admit(gate: Gate, candidates: readonly Candidate[]): Admitted {
  let leased = 0;
  let probeInMs = gate.probeInMs;
  let nextSendInMs = Math.max(0, gate.nextSendInMs);
  const intervalMs = gate.maxPerSecond === null ? 0 : 1_000 / gate.maxPerSecond;

  const decide = (candidate: Candidate): Admission => {
    const standing = standingOf(gate, candidate);
    if (standing !== null) return standing;
    if (candidate.behind) return { kind: 'hold', reason: 'order' };
    if (gate.paused) return { kind: 'hold', reason: 'paused' };
    if (gate.secretFault) return { kind: 'hold', reason: 'secret' };
    const probe = probeInMs !== null;
    if (probeInMs !== null && probeInMs > 0) return { kind: 'hold', reason: 'circuit' };
    if (gate.sending + leased >= gate.maxConcurrency) {
      return { kind: 'hold', reason: probe ? 'circuit' : 'concurrency' };
    }
    if (intervalMs > 0 && !candidate.reserved) {
      if (nextSendInMs > RATE_HORIZON_MS) return { kind: 'hold', reason: probe ? 'circuit' : 'concurrency' };
      const inMs = nextSendInMs;
      nextSendInMs += intervalMs;
      if (inMs > 0) return { kind: 'reserve', inMs };
    }
    leased += 1;
    // Another probe would come before this one has told anything.
    if (probe) probeInMs = Infinity;
    return { kind: 'lease', probe };
  };
  return { admissions: candidates.map(decide), leased, nextSendInMs };
}

/** What holds whatever the gate says, or null when the delivery may ask for admission. */
function standingOf(gate: Gate, candidate: Candidate): Admission | null {
  if (gate.removed) return { kind: 'finished' };
  switch (candidate.state) {
    case 'held':
      return { kind: 'held', reason: candidate.holdReason ?? 'order' };
    case 'sending':
      if (candidate.leaseInMs !== null && candidate.leaseInMs > 0) {
        return { kind: 'leased', waitMs: candidate.leaseInMs };
      }
      break;
    case 'queued':
      if (candidate.dueInMs > EARLY_MS) return { kind: 'not_due', waitMs: candidate.dueInMs };
      break;
  }
  return candidate.usable ? null : { kind: 'unusable' };
}
