import type { Disturbance } from '#test/chaos/link';

/** Targets of faults. Each is disturbed by one fault at a time, so that there is progress. */
export type Disturbed =
  | 'worker'
  | 'api'
  | 'spare worker'
  | 'clock'
  | 'redis'
  | 'postgres'
  | 'link'
  | 'own link';

/** All faults, with their targets. */
const DISTURBED_BY = {
  'SIGKILL worker': 'worker',
  'SIGSTOP worker': 'worker',
  'SIGSTOP worker until another delivers': 'worker',
  'SIGTERM worker': 'worker',
  'spare worker comes and leaves': 'spare worker',
  'clock jump of a worker': 'clock',
  'clock jump of an api': 'clock',
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
  'partial cut': 'own link',
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

/** Links of process 1 of a kind alone: one of two workers, or one of two apis, can be cut off. */
export function ownLinksOf(backend: 'redis' | 'postgres'): [LinkName, ...LinkName[]] {
  return [
    { from: 'worker', to: 'PostgreSQL' },
    { from: 'api', to: 'PostgreSQL' },
    ...(backend === 'redis' ? [{ from: 'worker', to: 'Redis' } as const] : []),
  ];
}

/** The process with links of its own. */
export const CUT_PROCESS = 1;
/** The third worker, which comes and goes. */
export const SPARE_WORKER = 2;

/** How a link is cut: nothing connects, nothing answers, or no answer comes back. */
export const CUTS = ['refused', 'blackholed', 'one-way'] as const;
export type Cut = (typeof CUTS)[number];

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

export interface PlannedPartialCut extends Timing {
  readonly kind: 'partial cut';
  readonly ownLink: LinkName;
  readonly cut: Cut;
}

export interface PlannedClockJump extends Timing {
  readonly kind: 'clock jump of a worker' | 'clock jump of an api';
  /** Which worker or api: 0 or 1. */
  readonly target: number;
  readonly shiftMs: number;
}

export interface PlannedOtherFault extends Timing {
  readonly kind: Exclude<
    FaultKind,
    Disturbance['kind'] | PlannedFullDisk['kind'] | PlannedPartialCut['kind'] | PlannedClockJump['kind']
  >;
  /** Which worker or api: 0 or 1. */
  readonly target: number;
}

export type PlannedFault =
  | PlannedLinkFault
  | PlannedFullDisk
  | PlannedPartialCut
  | PlannedClockJump
  | PlannedOtherFault;

/** Such as `SIGKILL worker` or `blackhole to Redis from worker`; the kind of process is at the end. */
export function labelOf(fault: PlannedFault): string {
  if ('link' in fault) return `${fault.kind} to ${fault.link.to} from ${fault.link.from}`;
  if ('ownLink' in fault)
    return `partial cut (${fault.cut}) of ${fault.ownLink.to} from one ${fault.ownLink.from}`;
  if ('shiftMs' in fault) return fault.kind.replace('jump', fault.shiftMs > 0 ? 'ahead' : 'behind');
  return fault.kind;
}

/** Which worker the fault disturbs alone. */
export function workerOf(fault: PlannedFault): number | undefined {
  if ('ownLink' in fault) return fault.ownLink.from === 'worker' ? CUT_PROCESS : undefined;
  if (fault.kind === 'spare worker comes and leaves') return SPARE_WORKER;
  const isOfWorker = disturbed(fault.kind) === 'worker' || fault.kind === 'clock jump of a worker';
  return isOfWorker && 'target' in fault ? fault.target : undefined;
}

/** Whether a fault of this label suspends a worker. */
export const suspendsWorker = (label: string): boolean => label.startsWith('SIGSTOP worker');

/** Whether a fault of this label makes a worker sign with a wrong time. */
export const movesWorkersClock = (label: string): boolean => /^clock (ahead|behind) of a worker$/.test(label);
