import { seededRandom, type SeededRandom } from '#test/chaos/seeded-random';

/** Everything that is done to the system. */
export const FAULT_KINDS = [
  'SIGKILL worker',
  'SIGSTOP worker',
  'SIGTERM worker',
  'SIGKILL api',
  'SIGSTOP api',
  'SIGTERM api',
  'Redis FLUSHALL',
  'Redis restart',
  'Redis replaced by an empty one',
  'Redis connections cut',
  'PostgreSQL fast restart',
  'PostgreSQL immediate restart',
  'PostgreSQL connections cut',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** What can be disturbed once at a time, so that there is progress: one of the workers, one of the apis, a server. */
export type Disturbed = 'worker' | 'api' | 'redis' | 'postgres';

export interface PlannedFault {
  /** After the beginning of the load. */
  readonly atMs: number;
  readonly kind: FaultKind;
  /** Which worker or api: 0 or 1. */
  readonly target: number;
  /** How long it is stopped or away. */
  readonly forMs: number;
}

/** What a fault disturbs. */
export function disturbed(kind: FaultKind): Disturbed {
  if (kind.endsWith('worker')) return 'worker';
  if (kind.endsWith('api')) return 'api';
  return kind.startsWith('Redis') ? 'redis' : 'postgres';
}

/** What a process takes to be back, roughly; only keeps the plan from piling up. */
const RESTART_MS = 3_000;
const FIRST_AT_MS = 1_000;
/** A lease is the consumer's timeout (1 s) and 10 s: a stop of 11 s and more outlasts it. */
const LONGEST_STOP_MS = 14_000;

/**
 * The faults of a run: the same seed and length give the same list. The kinds are dealt like cards, a new shuffled
 * deck whenever one is used up, so that each comes as soon as what it disturbs is whole again.
 */
export function planFaults(options: {
  seed: number;
  seconds: number;
  backend: 'redis' | 'postgres';
}): PlannedFault[] {
  const { seed, seconds, backend } = options;
  const random = seededRandom(seed);
  const kinds = FAULT_KINDS.filter((kind) => backend === 'redis' || disturbed(kind) !== 'redis');
  const lastAtMs = seconds * 1_000 - 500;
  const gapMs = Math.min(2_500, Math.max(700, (lastAtMs - FIRST_AT_MS) / (kinds.length + 4)));
  const busyUntil = new Map<Disturbed, number>();
  const faults: PlannedFault[] = [];
  let deck: FaultKind[] = [];
  for (let atMs = FIRST_AT_MS; atMs < lastAtMs; atMs += Math.round(gapMs * (0.7 + 0.6 * random.next()))) {
    if (deck.length === 0) deck = firstDeckFirst(random, kinds, faults.length === 0);
    const at = deck.findIndex((kind) => (busyUntil.get(disturbed(kind)) ?? 0) <= atMs);
    const kind = deck[at];
    if (kind === undefined) continue;
    deck.splice(at, 1);
    const forMs = duration(random, kind, seconds);
    faults.push({ atMs, kind, target: random.whole(0, 1), forMs });
    const backMs = kind.endsWith('cut') || kind.endsWith('FLUSHALL') ? 500 : RESTART_MS;
    busyUntil.set(disturbed(kind), atMs + forMs + (kind.startsWith('SIGSTOP') ? 1_000 : backMs));
  }
  return faults;
}

/** One outage that leaves the first and the last ten seconds. */
export function planOutage(server: 'redis' | 'postgres', seconds: number): PlannedFault[] {
  const kind = server === 'redis' ? 'Redis restart' : 'PostgreSQL fast restart';
  return [{ atMs: 10_000, kind, target: 0, forMs: Math.max(0, seconds - 20) * 1_000 }];
}

/** The long stop of a worker leads the first deck, so that even a short run has one that outlasts a lease. */
function firstDeckFirst(random: SeededRandom, kinds: readonly FaultKind[], first: boolean): FaultKind[] {
  const deck = random.shuffled(kinds);
  return first ? ['SIGSTOP worker', ...deck.filter((kind) => kind !== 'SIGSTOP worker')] : deck;
}

function duration(random: SeededRandom, kind: FaultKind, seconds: number): number {
  const short = seconds < 45;
  switch (kind) {
    case 'SIGSTOP worker':
      return short ? random.whole(11_500, 12_500) : random.whole(3_000, LONGEST_STOP_MS);
    case 'SIGSTOP api':
      return random.whole(1_000, short ? 2_500 : 7_000);
    case 'SIGKILL worker':
    case 'SIGTERM worker':
    case 'SIGKILL api':
    case 'SIGTERM api':
      return random.whole(50, short ? 500 : 2_000);
    case 'Redis restart':
    case 'Redis replaced by an empty one':
    case 'PostgreSQL fast restart':
    case 'PostgreSQL immediate restart':
      return random.whole(100, short ? 800 : 3_000);
    case 'Redis FLUSHALL':
    case 'Redis connections cut':
    case 'PostgreSQL connections cut':
      return 0;
  }
}
