import { setTimeout as pause } from 'node:timers/promises';
import { CUT_PROCESS, linksOf, type Backend, type LinkName } from '#test/chaos/environment';
import {
  fillDisk,
  lockTable,
  restart,
  restartServer,
  suspend,
  untilAllServed,
  type DisturbedSystem,
  type Fault,
  type FaultResult,
} from '#test/chaos/disturb';
import type { Condition } from '#test/chaos/link';
import type { ProductProcess } from '#test/chaos/product-process';

type Range = readonly [leastMs: number, mostMs: number];
type Forms = (backend: Backend) => readonly Fault[];

interface FaultKind {
  /** Each target is disturbed by one fault at a time, so that there is progress. */
  readonly target: 'worker' | 'api' | 'spare worker' | 'clock' | 'redis' | 'postgres' | 'link' | 'own link';
  /** How long it lasts in a run up to 60 s, and in a longer one. */
  readonly lastsMs: readonly [short: Range, long: Range];
  /** It occurs in one of these forms; never if there is none. */
  readonly forms: Forms;
}

const kind = (target: FaultKind['target'], lastsMs: FaultKind['lastsMs'], forms: Forms): FaultKind => ({
  target,
  lastsMs,
  forms,
});

const HOUR_MS = 3_600_000;

/** How long a fault lasts, in seconds: at least and at most in a short run, and in a longer one. */
const lasts = (...[least, most, leastLong, mostLong]: [number, number, number, number]) =>
  [
    [least * 1_000, most * 1_000],
    [leastLong * 1_000, mostLong * 1_000],
  ] as const;

const INSTANT = lasts(0, 0, 0, 0);
const RESTART = lasts(0.05, 0.5, 0.05, 2);
const SERVER_RESTART = lasts(0.1, 0.8, 0.1, 3);
const LOCK = lasts(3, 3, 3, 10);
const LINK = lasts(1.5, 3, 3, 8);
/** Longer than the timeout of any statement or lock. */
const BLACKHOLE = lasts(30, 30, 30, 30);
/** In a long run longer than the 6 s after which a worker without PostgreSQL ends its sessions. */
const CUT = lasts(2, 4, 4, 14);
/** Shorter than the minute of failures that opens a consumer's circuit. */
const JUMP = lasts(2, 4, 3, 12);
/** Longer than the 5 to 8 s in which the queue gives a suspended worker's jobs to another worker. */
const TAKEN_OVER = lasts(8, 9, 3, 14);

/** The same for process 0 and process 1 of a kind. */
const bothOf = (
  app: 'worker' | 'api',
  what: string,
  run: (process: ProductProcess, system: DisturbedSystem, forMs: number) => Promise<FaultResult | void>,
  given: Pick<Fault, 'whileAllAreServed' | 'signsWrongTime'> = {},
): readonly Fault[] =>
  [0, 1].map((index) => ({
    label: what.replace(app, `${app} ${index}`),
    ...given,
    run: async (system, forMs) => {
      const process = (app === 'worker' ? system.environment.workers : system.environment.apis)[index];
      if (process === undefined) throw new Error(`there is no ${app} ${index}`);
      return run(process, system, forMs);
    },
  }));

const ofEach =
  (...given: Parameters<typeof bothOf>): Forms =>
  () =>
    bothOf(...given);

const ofRedis =
  (label: string, run: Fault['run'], whileAllAreServed = false): Forms =>
  (backend) =>
    backend === 'redis' ? [{ label, whileAllAreServed, run }] : [];

const one =
  (label: string, run: Fault['run']): Forms =>
  () => [{ label, run }];

/** A worker comes for a while, and leaves as a platform ends one that is not needed. */
export const spareWorkerComes: Fault = {
  label: 'spare worker comes and leaves',
  run: async ({ environment: { spareWorker } }, forMs) => {
    await spareWorker.start();
    try {
      await spareWorker.ready();
      await pause(forMs);
    } finally {
      await spareWorker.leave();
    }
  },
};

/** A process's clock jumps and comes back. */
const jump = (app: 'worker' | 'api', shiftMs: number): readonly Fault[] =>
  bothOf(
    app,
    `clock of ${app} is an hour ${shiftMs > 0 ? 'ahead' : 'behind'}`,
    async (process, _system, forMs) => {
      await process.shiftClock(shiftMs);
      await pause(forMs);
      await process.shiftClock(0);
    },
    { signsWrongTime: app === 'worker' },
  );

/** The link is in this condition for a while. */
const disturbed = (name: LinkName, condition: Condition, how: string): Fault => ({
  label: `${how} link from ${name.isOwn === true ? `${name.from} ${CUT_PROCESS}` : `each ${name.from}`} to ${name.to}`,
  run: async ({ environment }, forMs) => {
    const link = environment.link(name);
    link.set(condition);
    await pause(forMs);
    const { opened, disturbedChunks } = link.disturbed;
    link.set({ kind: 'normal' });
    return { effect: `it disturbed ${disturbedChunks} messages and ${opened} new connections` };
  },
});

const ofLinks =
  (...conditions: readonly (readonly [how: string, Condition])[]): Forms =>
  (backend) =>
    linksOf(backend)
      .filter(({ isOwn = false }) => !isOwn)
      .flatMap((link) => conditions.map(([how, condition]) => disturbed(link, condition, how)));

/** Process 1 of a kind, alone, is cut off in three ways: nothing connects, nothing answers, or no answer comes back. */
export const cuts = (from: LinkName['from'], to: LinkName['to']): Fault[] => {
  const name = { from, to, isOwn: true };
  return [
    {
      label: `${to} refuses ${from} ${CUT_PROCESS}`,
      run: async ({ environment }, forMs) => {
        environment.link(name).refuse(true);
        await pause(forMs);
        environment.link(name).refuse(false);
      },
    },
    disturbed(name, { kind: 'blackhole' }, 'blackholed'),
    disturbed(name, { kind: 'one-way link', drops: 'from server' }, 'one-way'),
  ];
};

const suspended = (process: ProductProcess, _system: DisturbedSystem, forMs: number) =>
  suspend(process, () => pause(forMs, {}));

const suspendedUntilServed = (process: ProductProcess, system: DisturbedSystem, forMs: number) =>
  suspend(process, async () => {
    await pause(forMs);
    return { effect: await untilAllServed(system) };
  });

const flushall: Fault['run'] = async ({ environment }) => {
  await environment.redis?.asked((redis) => redis.flushall());
};

const emptyRestart: Fault['run'] = async (system, forMs) => {
  await flushall(system, forMs);
  await restartServer('redis')(system, forMs);
};

const cutRedis: Fault['run'] = async ({ environment }) => {
  await environment.redis?.asked((redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'normal'));
};

const cutPostgres: Fault['run'] = async ({ environment }) => {
  await environment.query(`select pg_terminate_backend(pid) from pg_stat_activity
                           where backend_type = 'client backend' and pid <> pg_backend_pid()`);
};

const locked =
  (table: string): Fault['run'] =>
  ({ environment }, forMs) =>
    lockTable(environment, table, forMs);

/** All faults. */
export const FAULTS = {
  'SIGKILL worker': kind('worker', RESTART, ofEach('worker', 'SIGKILL worker', restart('SIGKILL'))),
  'SIGTERM worker': kind('worker', RESTART, ofEach('worker', 'SIGTERM worker', restart('SIGTERM'))),
  'SIGSTOP worker': kind('worker', TAKEN_OVER, ofEach('worker', 'SIGSTOP worker', suspended)),
  'SIGSTOP worker until another delivers': kind(
    'worker',
    lasts(4, 5, 8, 20),
    ofEach('worker', 'SIGSTOP worker until another delivers', suspendedUntilServed, {
      whileAllAreServed: true,
    }),
  ),
  'spare worker comes and leaves': kind('spare worker', lasts(2, 3, 5, 5), () => [spareWorkerComes]),
  'SIGKILL api': kind('api', RESTART, ofEach('api', 'SIGKILL api', restart('SIGKILL'))),
  'SIGTERM api': kind('api', RESTART, ofEach('api', 'SIGTERM api', restart('SIGTERM'))),
  'SIGSTOP api': kind('api', lasts(1, 2.5, 1, 7), ofEach('api', 'SIGSTOP api', suspended)),
  'clock jump of a worker': kind('clock', JUMP, () => [
    ...jump('worker', HOUR_MS),
    ...jump('worker', -HOUR_MS),
  ]),
  // An api whose clock is behind rightly refuses every event on time as one of the future.
  'clock jump of an api': kind('clock', JUMP, () => jump('api', HOUR_MS)),
  'Redis FLUSHALL': kind('redis', INSTANT, ofRedis('Redis FLUSHALL', flushall)),
  'Redis FLUSHALL while all are served': kind(
    'redis',
    INSTANT,
    ofRedis('Redis FLUSHALL while all are served', flushall, true),
  ),
  'Redis restart': kind('redis', SERVER_RESTART, ofRedis('Redis restart', restartServer('redis'))),
  'Redis replaced by an empty one': kind(
    'redis',
    SERVER_RESTART,
    ofRedis('Redis replaced by an empty one', emptyRestart),
  ),
  'Redis connections cut': kind('redis', INSTANT, ofRedis('Redis connections cut', cutRedis)),
  'PostgreSQL fast restart': kind(
    'postgres',
    SERVER_RESTART,
    one('PostgreSQL restart', restartServer('postgres')),
  ),
  'PostgreSQL immediate restart': kind(
    'postgres',
    SERVER_RESTART,
    one('PostgreSQL crashes', restartServer('postgres', true)),
  ),
  'PostgreSQL connections cut': kind('postgres', INSTANT, one('PostgreSQL connections cut', cutPostgres)),
  'PostgreSQL disk full': kind('postgres', lasts(1.5, 2, 3, 8), () => [
    { label: 'PostgreSQL disk full', run: fillDisk(false) },
    // The next log file does not fit either: PostgreSQL crashes and cannot start until the disk has space.
    { label: 'PostgreSQL disk full, without room for its log', run: fillDisk(true) },
  ]),
  'PostgreSQL pending deliveries locked': kind(
    'postgres',
    LOCK,
    one('deliveries locked', locked('pending_deliveries')),
  ),
  'PostgreSQL payments locked': kind('postgres', LOCK, one('payments locked', locked('payments'))),
  'slow link': kind(
    'link',
    LINK,
    ofLinks(['slow', { kind: 'slow link', delayMs: 20 }], ['very slow', { kind: 'slow link', delayMs: 150 }]),
  ),
  'one-way link': kind(
    'link',
    LINK,
    ofLinks(
      ['deaf', { kind: 'one-way link', drops: 'from server' }],
      ['mute', { kind: 'one-way link', drops: 'to server' }],
    ),
  ),
  blackhole: kind('link', BLACKHOLE, ofLinks(['blackholed', { kind: 'blackhole' }])),
  'partial cut': kind('own link', CUT, (backend) =>
    linksOf(backend)
      .filter(({ isOwn = false }) => isOwn)
      .flatMap(({ from, to }) => cuts(from, to)),
  ),
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof FAULTS;
const isFaultName = (name: string): name is FaultName => Object.hasOwn(FAULTS, name);
export const FAULT_KINDS: readonly FaultName[] = Object.keys(FAULTS).filter(isFaultName);
export const kindOf = (name: FaultName): FaultKind => FAULTS[name];
