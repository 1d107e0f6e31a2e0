import { setTimeout as pause } from 'node:timers/promises';
import type { Backend } from '#test/chaos/environment';
import type { Fault, Faults } from '#test/chaos/disturb';
import { FAULT_KINDS, kindOf, type FaultName } from '#test/chaos/faults';
import { seededRandom } from '#test/chaos/seeded-random';

export interface PlanOptions {
  /** Decides the times, the order and the forms of faults. */
  readonly seed: number;
  readonly seconds: number;
  readonly backend: Backend;
  /** Whether PostgreSQL has its own file system, which can be filled. */
  readonly ownDisk: boolean;
}

export interface PlannedFault {
  readonly kind: FaultName;
  readonly fault: Fault;
  /** Since the start of the load. */
  readonly atMs: number;
  /** Duration of the disturbance. */
  readonly forMs: number;
}

const FIRST_AT_MS = 1_000;
/** Pause before the next fault with the same target: about as long as the recovery takes. */
function aftermathMs(name: FaultName): number {
  if (/^SIG(KILL|TERM)/.test(name)) return 3_000;
  return /FLUSHALL|connections cut|locked/.test(name) ? 500 : 1_000;
}

/** The first faults of a run, since they would not fit at the end of a short run. */
const LONG_FAULTS: readonly FaultName[] = [
  'SIGSTOP worker',
  'blackhole',
  'SIGSTOP worker until another delivers',
];

/**
 * The faults of a run; the same options give the same list. All kinds occur in random order before a kind occurs again,
 * each as soon as its target has recovered. A fault that would end after the run is omitted.
 */
export function planFaults({ seed, seconds, backend, ownDisk }: PlanOptions): PlannedFault[] {
  const random = seededRandom(seed);
  const kinds = FAULT_KINDS.filter(
    (name) => kindOf(name).forms(backend).length > 0 && (ownDisk || name !== 'PostgreSQL disk full'),
  );
  const endMs = seconds * 1_000 - 500;
  const gapMs = Math.min(2_500, Math.max(700, (endMs - FIRST_AT_MS) / (kinds.length + 8)));
  const rangeOf = (name: FaultName) => kindOf(name).lastsMs[seconds <= 60 ? 0 : 1];
  const busyUntil = new Map<string, number>();
  const plan: PlannedFault[] = [];
  let remaining = [...LONG_FAULTS, ...random.shuffled(kinds).filter((name) => !LONG_FAULTS.includes(name))];
  for (let atMs = FIRST_AT_MS; atMs < endMs; atMs += Math.round(gapMs * (0.7 + 0.6 * random.next()))) {
    const fits = (name: FaultName): boolean => atMs + rangeOf(name)[0] <= endMs;
    remaining = remaining.filter(fits);
    if (remaining.length === 0) remaining = random.shuffled(kinds).filter(fits);
    const kind = remaining.find((name) => (busyUntil.get(kindOf(name).target) ?? 0) <= atMs);
    if (kind === undefined) continue;
    remaining = remaining.filter((name) => name !== kind);
    const [least, most] = rangeOf(kind);
    const forMs = random.integer(least, Math.min(most, endMs - atMs));
    const [form, ...others] = kindOf(kind).forms(backend);
    if (form === undefined) continue;
    plan.push({ kind, fault: random.pick([form, ...others]), atMs, forMs });
    const { target } = kindOf(kind);
    busyUntil.set(target, atMs + forMs + aftermathMs(kind));
  }
  return plan;
}

/** Executes each fault at its time, those with the same target one after the other. Resolves when the last one is over. */
export async function follow(faults: Faults, plan: readonly PlannedFault[]): Promise<void> {
  const beganAtMs = performance.now();
  const underWay = new Map<string, Promise<void>>();
  for (const { kind, fault, atMs, forMs } of plan) {
    await pause(Math.max(0, atMs - (performance.now() - beganAtMs)));
    const { target } = kindOf(kind);
    const next = (underWay.get(target) ?? Promise.resolve()).then(() => faults.execute(fault, forMs));
    // A failure is thrown below, where all faults are awaited.
    next.catch(() => undefined);
    underWay.set(target, next);
  }
  await Promise.all(underWay.values());
}
