import { HOUR_MS } from '#test/chaos/clocks';
import {
  CUTS,
  disturbed,
  FAULT_KINDS,
  linksOf,
  ownLinksOf,
  type Disturbed,
  type FaultKind,
  type LinkName,
  type PlannedFault,
} from '#test/chaos/fault-kinds';
import type { Direction } from '#test/chaos/link';
import { seededRandom, type SeededRandom } from '#test/chaos/seeded-random';

export interface PlanOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly backend: 'redis' | 'postgres';
  /** Whether PostgreSQL has its own file system, which can be filled. */
  readonly ownDisk: boolean;
}

/** Approximate time until a restarted process is ready, so that planned faults do not accumulate. */
const RESTART_MS = 3_000;
const FIRST_AT_MS = 1_000;
/** Longer than the 5 to 8 s in which the queue gives a suspended worker's jobs to another worker. */
const LONGEST_SUSPENSION_MS = 14_000;
const LONGEST_SUSPENSION_UNTIL_DELIVERY_MS = 20_000;
/** Longer than the timeout of any statement or lock. */
const BLACKHOLE_MS = 30_000;
/** Longer than the 6 s after which a worker without PostgreSQL ends its sessions. */
const LONGEST_PARTIAL_CUT_MS = 14_000;
/** Shorter than the minute of failures that opens a consumer's circuit. */
const LONGEST_CLOCK_JUMP_MS = 12_000;
/** The first faults of a run, since they would not fit at the end of a short run. */
const LONG_FAULTS: readonly FaultKind[] = [
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
    (kind) =>
      (backend === 'redis' || disturbed(kind) !== 'redis') && (ownDisk || kind !== 'PostgreSQL disk full'),
  );
  const endMs = seconds * 1_000 - 500;
  const gapMs = Math.min(2_500, Math.max(700, (endMs - FIRST_AT_MS) / (kinds.length + 8)));
  const busyUntil = new Map<Disturbed, number>();
  const faults: PlannedFault[] = [];
  let remaining = [...LONG_FAULTS, ...random.shuffled(kinds).filter((kind) => !LONG_FAULTS.includes(kind))];
  for (let atMs = FIRST_AT_MS; atMs < endMs; atMs += Math.round(gapMs * (0.7 + 0.6 * random.next()))) {
    const fits = (kind: FaultKind): boolean => atMs + range(kind, seconds)[0] <= endMs;
    remaining = remaining.filter(fits);
    if (remaining.length === 0) remaining = random.shuffled(kinds).filter(fits);
    const kind = remaining.find((one) => (busyUntil.get(disturbed(one)) ?? 0) <= atMs);
    if (kind === undefined) continue;
    remaining = remaining.filter((one) => one !== kind);
    const [shortest, longest] = range(kind, seconds);
    const forMs = random.integer(shortest, Math.min(longest, endMs - atMs));
    faults.push(planOne(random, { kind, atMs, forMs, backend }));
    busyUntil.set(disturbed(kind), atMs + forMs + aftermath(kind));
  }
  return faults;
}

/** One outage, except for the first and last ten seconds. */
export function planOutage(server: 'redis' | 'postgres', seconds: number): PlannedFault[] {
  const kind = server === 'redis' ? 'Redis restart' : 'PostgreSQL fast restart';
  return [{ atMs: 10_000, kind, target: 0, forMs: Math.max(0, seconds - 20) * 1_000 }];
}

function planOne(
  random: SeededRandom,
  {
    kind,
    backend,
    ...timing
  }: { kind: FaultKind; atMs: number; forMs: number; backend: 'redis' | 'postgres' },
): PlannedFault {
  if (kind === 'slow link') {
    return { ...timing, kind, link: anyLink(random, backend), delayMs: random.integer(20, 150) };
  }
  if (kind === 'one-way link') {
    const link = anyLink(random, backend);
    return { ...timing, kind, link, drops: random.pick<Direction>(['to server', 'from server']) };
  }
  if (kind === 'blackhole') return { ...timing, kind, link: anyLink(random, backend) };
  if (kind === 'partial cut') {
    return { ...timing, kind, ownLink: random.pick(ownLinksOf(backend)), cut: random.pick(CUTS) };
  }
  if (kind === 'clock jump of a worker') {
    const target = random.integer(0, 1);
    return { ...timing, kind, target, shiftMs: random.pick([HOUR_MS, -HOUR_MS]) };
  }
  if (kind === 'clock jump of an api') {
    // An api whose clock is behind rightly refuses every event on time as one of the future.
    return { ...timing, kind, target: random.integer(0, 1), shiftMs: HOUR_MS };
  }
  if (kind === 'PostgreSQL disk full') return { ...timing, kind, crashes: random.pick([false, true]) };
  return { ...timing, kind, target: random.integer(0, 1) };
}

const anyLink = (random: SeededRandom, backend: 'redis' | 'postgres'): LinkName =>
  random.pick(linksOf(backend));

/** Pause after a fault before the next one with the same target. */
function aftermath(kind: FaultKind): number {
  switch (disturbed(kind)) {
    case 'worker':
    case 'api':
      return kind.startsWith('SIGSTOP') ? 1_000 : RESTART_MS;
    case 'redis':
    case 'postgres':
      return /cut|FLUSHALL|locked/.test(kind) ? 500 : 1_500;
    case 'link':
    case 'own link':
    case 'clock':
    case 'spare worker':
      return 1_000;
  }
}

/** The shortest and longest duration of a fault; in a short run all faults are short. */
function range(kind: FaultKind, seconds: number): readonly [number, number] {
  const short = seconds <= 60;
  switch (kind) {
    case 'SIGSTOP worker':
      return short ? [8_000, 9_000] : [3_000, LONGEST_SUSPENSION_MS];
    case 'SIGSTOP worker until another delivers':
      return short ? [4_000, 5_000] : [8_000, LONGEST_SUSPENSION_UNTIL_DELIVERY_MS];
    case 'SIGSTOP api':
      return [1_000, short ? 2_500 : 7_000];
    case 'SIGKILL worker':
    case 'SIGTERM worker':
    case 'SIGKILL api':
    case 'SIGTERM api':
      return [50, short ? 500 : 2_000];
    case 'Redis restart':
    case 'Redis replaced by an empty one':
    case 'PostgreSQL fast restart':
    case 'PostgreSQL immediate restart':
      return [100, short ? 800 : 3_000];
    case 'Redis FLUSHALL':
    case 'Redis FLUSHALL while all are served':
    case 'Redis connections cut':
    case 'PostgreSQL connections cut':
      return [0, 0];
    case 'PostgreSQL disk full':
      return short ? [1_500, 2_000] : [3_000, 8_000];
    case 'PostgreSQL pending deliveries locked':
    case 'PostgreSQL payments locked':
      return [3_000, short ? 3_000 : 10_000];
    case 'spare worker comes and leaves':
      return short ? [2_000, 3_000] : [5_000, 5_000];
    case 'clock jump of a worker':
    case 'clock jump of an api':
      return short ? [2_000, 4_000] : [3_000, LONGEST_CLOCK_JUMP_MS];
    case 'partial cut':
      return short ? [2_000, 4_000] : [4_000, LONGEST_PARTIAL_CUT_MS];
    case 'slow link':
    case 'one-way link':
      return short ? [1_500, 3_000] : [3_000, 8_000];
    case 'blackhole':
      return [BLACKHOLE_MS, BLACKHOLE_MS];
  }
}
