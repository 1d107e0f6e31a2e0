import type { HoldReason, OpenState } from '#libs/contracts';

/** Reasons that lie with the consumer, not with the payment: its gate. `order` is the lane's. */
export type GateReason = Exclude<HoldReason, 'order'>;

/** How far ahead a delivery over `maxPerSecond` is given its own moment; what would come later waits, held. */
export const RATE_HORIZON_MS = 2_000;

/** A consumer that has failed so often in a row … */
export const AILING_FAILURES = 10;
/** … gets no more than this at a time until it answers: what hangs holds slots of the workers, which are everybody's. */
export const AILING_CONCURRENCY = 8;

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
  /** Failed attempts since its last success. */
  readonly failures: number;
  readonly maxPerSecond: number | null;
  /** When `maxPerSecond` allows the next POST; in the past when it has allowed one for long. */
  readonly nextSendInMs: number;
  /** The first moment that `maxPerSecond` has given to nobody. */
  readonly nextSlotInMs: number;
}

/** A delivery whose job has come. */
export interface Candidate {
  readonly state: OpenState;
  readonly holdReason: HoldReason | null;
  /** What is left of its lease; zero or less when it ran out. Null unless `sending`. */
  readonly leaseInMs: number | null;
  /** Until its next attempt; zero or less when it is due. */
  readonly dueInMs: number;
  /** The rate has given it this moment. */
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
  readonly nextSlotInMs: number;
}

/**
 * **take**'s decision for one consumer: which of its deliveries go now, and why the others do not. The first
 * reason that applies is the one that is shown: the payment's own order, then what holds the whole consumer
 * (paused, secret, circuit), then its limits.
 *
 * An open circuit lets one delivery through when a probe is due, whichever comes: the next probe takes another.
 */
export function admit(gate: Gate, candidates: readonly Candidate[]): Admitted {
  const pace = new Pace(gate);
  const limit =
    gate.failures < AILING_FAILURES ? gate.maxConcurrency : Math.min(gate.maxConcurrency, AILING_CONCURRENCY);
  let leased = 0;
  let probeInMs = gate.probeInMs;

  const decide = (candidate: Candidate): Admission => {
    const standing = standingOf(gate, candidate);
    if (standing !== null) return standing;
    if (candidate.behind) return { kind: 'hold', reason: 'order' };
    if (gate.paused) return { kind: 'hold', reason: 'paused' };
    if (gate.secretFault) return { kind: 'hold', reason: 'secret' };
    const probe = probeInMs !== null;
    const overLimit: Admission = { kind: 'hold', reason: probe ? 'circuit' : 'concurrency' };
    if (probeInMs !== null && probeInMs > 0) return overLimit;
    if (gate.sending + leased >= limit) return overLimit;
    const inMs = pace.momentFor(candidate);
    if (inMs > RATE_HORIZON_MS) return overLimit;
    if (inMs > 0) return { kind: 'reserve', inMs };
    leased += 1;
    // Another probe would come before this one has told anything.
    if (probe) probeInMs = Infinity;
    return { kind: 'lease', probe };
  };
  const admissions = candidates.map(decide);
  return { admissions, leased, nextSendInMs: pace.nextSendInMs, nextSlotInMs: pace.nextSlotInMs };
}

/**
 * `maxPerSecond`, kept evenly, by a generic cell rate. What may not go yet gets a moment of its own; since jobs come
 * early and late, the rate is asked again at the lease, and who is out of time gets another moment. Nobody goes
 * earlier than the tolerance before his moment, and who comes later, by no more than it, does not delay the next.
 */
class Pace {
  nextSendInMs: number;
  nextSlotInMs: number;
  private readonly intervalMs: number;
  private readonly toleranceMs: number;
  private nextAgainInMs: number;

  constructor(gate: Gate) {
    this.intervalMs = gate.maxPerSecond === null ? 0 : 1_000 / gate.maxPerSecond;
    this.toleranceMs = paceToleranceMs(this.intervalMs);
    this.nextSendInMs = Math.max(-this.toleranceMs, gate.nextSendInMs);
    this.nextSlotInMs = Math.max(0, this.nextSendInMs, gate.nextSlotInMs);
    this.nextAgainInMs = Math.max(0, this.nextSendInMs);
  }

  /** Milliseconds until it may go: 0 is now, and then the interval begins. Beyond the horizon nothing is given away. */
  momentFor({ reserved }: Candidate): number {
    if (this.intervalMs === 0) return 0;
    const isFirst = reserved || this.nextSlotInMs <= this.toleranceMs;
    if (isFirst && this.nextSendInMs <= this.toleranceMs) {
      this.nextSendInMs = (reserved ? this.nextSendInMs : Math.max(0, this.nextSendInMs)) + this.intervalMs;
      this.nextAgainInMs = Math.max(this.nextAgainInMs, this.nextSendInMs);
      this.nextSlotInMs = Math.max(this.nextSlotInMs, this.nextSendInMs);
      return 0;
    }
    const inMs = reserved ? this.nextAgainInMs : this.nextSlotInMs;
    if (inMs > RATE_HORIZON_MS) return inMs;
    if (reserved) this.nextAgainInMs += this.intervalMs;
    this.nextSlotInMs = Math.max(this.nextSlotInMs, inMs + this.intervalMs);
    return inMs;
  }
}

/** Half an interval: jobs come when they come, and without room for it a part of the rate would be lost; 5 to 100 ms. */
export const paceToleranceMs = (intervalMs: number): number => Math.min(100, Math.max(5, intervalMs / 2));

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
