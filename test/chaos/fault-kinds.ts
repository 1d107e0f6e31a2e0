import type { Disturbance } from '#test/chaos/link';

/** What can be disturbed once at a time, so that there is progress: a worker, an api, a server, one of the links. */
export type Disturbed = 'worker' | 'api' | 'redis' | 'postgres' | 'link';

/** Everything that is done to the system, each with what it disturbs. */
const DISTURBED_BY = {
  'SIGKILL worker': 'worker',
  'SIGSTOP worker': 'worker',
  'SIGSTOP worker until another delivers': 'worker',
  'SIGTERM worker': 'worker',
  'SIGKILL api': 'api',
  'SIGSTOP api': 'api',
  'SIGTERM api': 'api',
  'Redis FLUSHALL': 'redis',
  'Redis FLUSHALL while all are served': 'redis',
  'Redis restart': 'redis',
  'Redis replaced by an empty one': 'redis',
  'Redis connections cut': 'redis',
  'PostgreSQL fast restart': 'postgres',
  'PostgreSQL immediate restart': 'postgres',
  'PostgreSQL connections cut': 'postgres',
  'PostgreSQL disk full': 'postgres',
  'PostgreSQL pending deliveries locked': 'postgres',
  'PostgreSQL payments locked': 'postgres',
  'slow link': 'link',
  'one-way link': 'link',
  blackhole: 'link',
} as const satisfies Record<string, Disturbed>;

export type FaultKind = keyof typeof DISTURBED_BY;

const isFaultKind = (name: string): name is FaultKind => Object.hasOwn(DISTURBED_BY, name);
export const FAULT_KINDS: readonly FaultKind[] = Object.keys(DISTURBED_BY).filter(isFaultKind);

/** What a fault disturbs. */
export const disturbed = (kind: FaultKind): Disturbed => DISTURBED_BY[kind];

/** The way from both processes of a kind to a server. */
export interface LinkName {
  readonly from: 'api' | 'worker';
  readonly to: 'PostgreSQL' | 'Redis';
}

/** The links that there are; a queue on PostgreSQL shares the link to it. */
export function linksOf(backend: 'redis' | 'postgres'): [LinkName, ...LinkName[]] {
  const toRedis: LinkName[] = [
    { from: 'api', to: 'Redis' },
    { from: 'worker', to: 'Redis' },
  ];
  return [
    { from: 'api', to: 'PostgreSQL' },
    { from: 'worker', to: 'PostgreSQL' },
    ...(backend === 'redis' ? toRedis : []),
  ];
}

interface Timing {
  /** After the beginning of the load. */
  readonly atMs: number;
  /** How long it is stopped, away or held. */
  readonly forMs: number;
}

export type PlannedLinkFault = Timing & Disturbance & { readonly link: LinkName };

export interface PlannedFullDisk extends Timing {
  readonly kind: 'PostgreSQL disk full';
  /** The log's next file does not fit either: PostgreSQL crashes, and cannot start until there is room. */
  readonly crashes: boolean;
}

export interface PlannedOtherFault extends Timing {
  readonly kind: Exclude<FaultKind, Disturbance['kind'] | 'PostgreSQL disk full'>;
  /** Which worker or api: 0 or 1. */
  readonly target: number;
}

export type PlannedFault = PlannedLinkFault | PlannedFullDisk | PlannedOtherFault;

/** `SIGKILL worker`, `blackhole to Redis from worker`: by the name of its process at the end, an api's is told apart. */
export const labelOf = (fault: PlannedFault): string =>
  'link' in fault ? `${fault.kind} to ${fault.link.to} from ${fault.link.from}` : fault.kind;

/** Whether a fault of this label freezes a worker. */
export const freezesWorker = (label: string): boolean => label.startsWith('SIGSTOP worker');
