import type { Disturbance } from '#test/chaos/link';

/** Targets of faults. Each is disturbed by one fault at a time, so that there is progress. */
export type Disturbed = 'worker' | 'api' | 'redis' | 'postgres' | 'link';

/** All faults, with their targets. */
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

/** The target of a fault. */
export const disturbed = (kind: FaultKind): Disturbed => DISTURBED_BY[kind];

/** The connections from both processes of a kind to a server. */
export interface LinkName {
  readonly from: 'api' | 'worker';
  readonly to: 'PostgreSQL' | 'Redis';
}

/** All links; a queue on PostgreSQL uses the link to PostgreSQL. */
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
  /** Since the start of the load. */
  readonly atMs: number;
  /** Duration of the disturbance. */
  readonly forMs: number;
}

export type PlannedLinkFault = Timing & Disturbance & { readonly link: LinkName };

export interface PlannedFullDisk extends Timing {
  readonly kind: 'PostgreSQL disk full';
  /** The next log file does not fit either: PostgreSQL crashes and cannot start until the disk has space. */
  readonly crashes: boolean;
}

export interface PlannedOtherFault extends Timing {
  readonly kind: Exclude<FaultKind, Disturbance['kind'] | 'PostgreSQL disk full'>;
  /** Which worker or api: 0 or 1. */
  readonly target: number;
}

export type PlannedFault = PlannedLinkFault | PlannedFullDisk | PlannedOtherFault;

/** Such as `SIGKILL worker` or `blackhole to Redis from worker`; the name of the process is at the end. */
export const labelOf = (fault: PlannedFault): string =>
  'link' in fault ? `${fault.kind} to ${fault.link.to} from ${fault.link.from}` : fault.kind;

/** Which worker the fault disturbs alone. */
export const workerOf = (fault: PlannedFault): number | undefined =>
  'target' in fault && disturbed(fault.kind) === 'worker' ? fault.target : undefined;

/** Whether a fault of this label suspends a worker. */
export const suspendsWorker = (label: string): boolean => label.startsWith('SIGSTOP worker');
