import { decide } from '../decide.js';
import type { HealthFacts } from '../health-facts.js';
import { HEALTHY, observe, type Health } from '../health.js';
import { DEFAULT_RETRY_SCHEDULE_MS } from '../retry-schedule.js';

const MINUTE = 60_000;
const WINDOW_MS = 15 * MINUTE;
/** The time over which rates are counted. */
const RATES_MS = 5 * MINUTE;

/** What a consumer answers from `from` until `to`. */
export interface Fault {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Share of the attempts that fail. */
  readonly share: number;
  /** The failed attempts are answered with 410, so that the consumer is paused until the end. */
  readonly isGone?: boolean;
}

export interface Behaviour {
  readonly random: () => number;
  /** Mean time between two deliveries. */
  readonly everyMs: number;
  /** They do not overlap. */
  readonly faults: readonly Fault[];
  /** Time of one attempt, of which the consumer takes one at a time. */
  readonly attemptMs?: number;
  readonly schedule?: readonly number[];
  readonly certificates?: HealthFacts['certificates'];
  /** Called after each attempt with the number of consecutive failures. */
  readonly onAttempt?: (at: number, failures: number) => void;
}

interface Delivery {
  readonly id: string;
  attempts: number;
  nextAt: number;
  firstFailedAt: number | null;
}

/** A consumer whose attempts fail by a plan: its retries, its circuit and its pause follow the rules of this library. */
export class SimulatedConsumer {
  private health: Health = HEALTHY;
  private circuitOpenedAt: number | null = null;
  private pausedAt: number | null = null;
  private recoveredAt: number | null = null;
  private lastSuccessAt: number | null = null;
  private pending: Delivery[] = [];
  private attempts: { at: number; failed: boolean }[] = [];
  private accepted: number[] = [];
  private finished: number[] = [];
  private failingSince: number | null = null;
  private lastFailureAt = Number.NEGATIVE_INFINITY;
  private dead: number[] = [];
  private nextArrivalAt = 0;
  private made = 0;
  private freeAt = 0;

  constructor(private readonly behaviour: Behaviour) {}

  get faults(): readonly Fault[] {
    return this.behaviour.faults;
  }

  /** Whether every delivery succeeds at once: no fault is near, and nothing that failed waits or is remembered. */
  isQuiet(now: number): boolean {
    return (
      now - this.lastFailureAt > WINDOW_MS &&
      this.pending.length === 0 &&
      this.pausedAt === null &&
      this.faults.every(({ from, to }) => now < from - WINDOW_MS || now > to)
    );
  }

  /** Continues until this time, after `from`; before `from` every delivery succeeded. */
  run(from: number, until: number): void {
    if (this.nextArrivalAt < from) this.nextArrivalAt = from + this.wait();
    if (this.pausedAt !== null && this.faultAt(until) === undefined) {
      this.pausedAt = null;
      this.recoveredAt = until;
    }
    for (;;) {
      const due = this.nextDue();
      const at = Math.min(this.nextArrivalAt, due?.at ?? Number.POSITIVE_INFINITY);
      if (at > until) break;
      if (due !== null && due.at === at) this.attempt(due.delivery, Math.max(at, from));
      else this.arrive(at);
    }
    const isRecent = (at: number): boolean => at > until - WINDOW_MS;
    this.attempts = this.attempts.filter(({ at }) => isRecent(at));
    this.accepted = this.accepted.filter(isRecent);
    this.finished = this.finished.filter(isRecent);
  }

  /** A person replays what is dead. */
  settle(): void {
    this.dead = [];
  }

  faultAt(now: number): Fault | undefined {
    return this.faults.find(({ from, to }) => now >= from && now < to);
  }

  facts(now: number): HealthFacts {
    const ratesFrom = now - RATES_MS;
    const lately = (all: readonly number[]): number => all.filter((at) => at > ratesFrom).length;
    const recoveredAt = this.recoveredAt !== null && this.recoveredAt > ratesFrom ? this.recoveredAt : null;
    const sentFor = recoveredAt === null ? RATES_MS : Math.max(MINUTE, now - recoveredAt);
    const failed = this.attempts.filter((attempt) => attempt.failed).map(({ at }) => at);
    let oldestFailedAt = Number.POSITIVE_INFINITY;
    let oldestDueAt = Number.POSITIVE_INFINITY;
    for (const { firstFailedAt, nextAt } of this.pending) {
      if (firstFailedAt !== null && firstFailedAt < oldestFailedAt) oldestFailedAt = firstFailedAt;
      if (nextAt <= now && nextAt < oldestDueAt) oldestDueAt = nextAt;
    }
    const date = (at: number | null | undefined): Date | null =>
      at == null || at === Number.POSITIVE_INFINITY ? null : new Date(at);
    return {
      secretFault: null,
      paused:
        this.pausedAt === null ? null : { since: new Date(this.pausedAt), reason: null, byAnswer: true },
      circuitOpenedAt: date(this.circuitOpenedAt),
      failedProbes: this.health.circuit?.failedProbes ?? 0,
      failures: this.health.failures,
      firstFailureAt: date(this.health.firstFailureAtMs),
      lastSuccessAt: date(this.lastSuccessAt),
      attempts: this.attempts.length,
      failedAttempts: failed.length,
      failedLately: lately(failed),
      diedLately: this.dead.filter((at) => at > now - WINDOW_MS).length,
      failingSince: date(this.failingSince),
      causes: [],
      oldestFailedAt: date(oldestFailedAt),
      waiting: this.pending.length,
      oldestDueAt: date(oldestDueAt),
      inPerMinute: lately(this.accepted) / (RATES_MS / MINUTE),
      outPerMinute:
        this.finished.filter((at) => at >= (recoveredAt ?? ratesFrom)).length / (sentFor / MINUTE),
      recoveredAt: date(recoveredAt),
      dead: { count: this.dead.length, oldestAt: date(this.dead[0]) },
      certificates: this.behaviour.certificates ?? [],
      isSendingStopped: false,
    };
  }

  private wait(): number {
    return -Math.log(1 - this.behaviour.random()) * this.behaviour.everyMs;
  }

  private arrive(at: number): void {
    this.made += 1;
    this.pending.push({ id: String(this.made), attempts: 0, nextAt: at, firstFailedAt: null });
    this.accepted.push(at);
    this.nextArrivalAt = at + this.wait();
  }

  /** The next attempt: while the circuit is open, the next probe; while the consumer is paused, none. */
  private nextDue(): { delivery: Delivery; at: number } | null {
    if (this.pausedAt !== null) return null;
    let first: Delivery | undefined;
    for (const delivery of this.pending)
      if (first === undefined || delivery.nextAt < first.nextAt) first = delivery;
    if (first === undefined) return null;
    return {
      delivery: first,
      at: Math.max(first.nextAt, this.freeAt, this.health.circuit?.nextProbeAtMs ?? 0),
    };
  }

  private attempt(delivery: Delivery, at: number): void {
    const { random, attemptMs = 0, schedule = DEFAULT_RETRY_SCHEDULE_MS } = this.behaviour;
    const { circuit } = this.health;
    this.freeAt = at + attemptMs;
    const probe = circuit !== null;
    const fault = this.faultAt(at);
    const fails = fault !== undefined && random() < fault.share;
    const httpStatus = fails ? (fault.isGone === true ? 410 : 503) : 200;
    const outcome = fails ? 'http_status' : 'acknowledged';
    const attempt = delivery.attempts + 1;
    const decision = decide({
      outcome,
      httpStatus,
      probe,
      attempt,
      schedule,
      random: random(),
      retryAfterMs: null,
    });
    const observation = { deliveryId: delivery.id, atMs: at, succeeded: !fails, probe };
    this.health = observe(this.health, [observation]).health;
    if (this.circuitOpenedAt !== null && this.health.circuit === null) this.recoveredAt = at;
    this.circuitOpenedAt = this.health.circuit === null ? null : (this.circuitOpenedAt ?? at);
    this.attempts.push({ at, failed: fails });
    this.behaviour.onAttempt?.(at, this.health.failures);
    if (fails) {
      if (at - this.lastFailureAt > WINDOW_MS) this.failingSince = at;
      this.lastFailureAt = at;
      if (!probe) delivery.firstFailedAt ??= at;
    } else this.lastSuccessAt = at;
    switch (decision.kind) {
      case 'retry':
        delivery.attempts = attempt;
        delivery.nextAt = at + decision.delayMs;
        break;
      case 'hold':
        if (decision.reason === 'paused') this.pausedAt = at;
        break;
      case 'delivered':
      case 'dead':
        this.pending.splice(this.pending.indexOf(delivery), 1);
        this.finished.push(at);
        if (decision.kind === 'dead') this.dead.push(at);
        break;
    }
  }
}
