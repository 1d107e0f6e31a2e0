import { setTimeout as pause } from 'node:timers/promises';
import { cutOwnLink } from '#test/chaos/cut-own-link';
import {
  disturbed,
  type PlannedClockJump,
  type PlannedFault,
  type PlannedFullDisk,
  type PlannedLinkFault,
} from '#test/chaos/fault-kinds';
import type { ObservationLog } from '#test/chaos/observation-log';
import { PENDING_TABLE, type ChaosEnvironment } from '#test/chaos/chaos-environment';
import type { SupervisedProcess } from '#test/chaos/supervised-process';
import { lockTable } from '#test/chaos/table-lock';
import { waitUntil } from '#test/support/wait-until';

/** The system that faults disturb. */
export interface FaultContext {
  readonly environment: ChaosEnvironment;
  readonly observationLog: ObservationLog;
  /** Consumers that never fail. */
  readonly steady: readonly string[];
}

const CUT_POSTGRES = `select pg_terminate_backend(pid) from pg_stat_activity
                      where backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** The result of a fault. */
export interface FaultResult {
  /** When the disturbance ended, if that was before the system had recovered. */
  readonly undoneAtMs?: number;
  /** When the system has recovered, if that is later than the return. */
  readonly endedAtMs?: number;
  /** What the fault did, if its label does not say it. */
  readonly effect?: string;
}

/** Waits until a fault that needs a certain state of the system can begin. @returns that state, as text */
export async function waitForMoment(
  { kind }: PlannedFault,
  context: FaultContext,
): Promise<string | undefined> {
  return kind === 'Redis FLUSHALL while all are served' || kind === 'SIGSTOP worker until another delivers'
    ? untilAllServed(context)
    : undefined;
}

/** Disturbs the system and ends the disturbance. Resolves when the system has recovered. */
export async function executeFault(fault: PlannedFault, context: FaultContext): Promise<FaultResult> {
  if ('link' in fault) return disturbLink(fault, context.environment);
  if ('crashes' in fault) return fillDisk(fault, context.environment);
  const { environment } = context;
  if ('shiftMs' in fault) return jumpClock(fault, environment);
  if ('ownLink' in fault) {
    const end = await cutOwnLink(environment, fault.ownLink, fault.cut);
    await pause(fault.forMs);
    return done(end());
  }
  const { kind, target, forMs } = fault;
  const process = (disturbed(kind) === 'worker' ? environment.workers : environment.apis)[target];
  if (process === undefined) throw new Error(`there is no target ${target} for ${kind}`);
  switch (kind) {
    case 'SIGKILL worker':
    case 'SIGKILL api':
      return { undoneAtMs: (await process.endAndReturn('SIGKILL', forMs)).startedAtMs };
    case 'SIGTERM worker':
    case 'SIGTERM api':
      return terminate(process, forMs);
    case 'spare worker comes and leaves':
      return done(comeAndLeave(environment.spareWorker, forMs));
    case 'SIGSTOP worker':
    case 'SIGSTOP api':
      return done(suspend(process, () => pause(forMs)));
    case 'SIGSTOP worker until another delivers':
      return { effect: await suspend(process, () => pause(forMs).then(() => untilAllServed(context))) };
    case 'Redis FLUSHALL':
    case 'Redis FLUSHALL while all are served':
      return done(environment.redisCommand('FLUSHALL'));
    case 'Redis restart':
      return done(restartRedis(environment, forMs));
    case 'Redis replaced by an empty one':
      await environment.redisCommand('FLUSHALL');
      return done(restartRedis(environment, forMs));
    case 'Redis connections cut':
      return done(environment.redisCommand('CLIENT', 'KILL', 'TYPE', 'normal'));
    case 'PostgreSQL fast restart':
      return done(restartPostgres(environment, false, forMs));
    case 'PostgreSQL immediate restart':
      return done(restartPostgres(environment, true, forMs));
    case 'PostgreSQL connections cut':
      return done(environment.query(CUT_POSTGRES));
    case 'PostgreSQL pending deliveries locked':
      return { effect: await lockTable(environment, PENDING_TABLE, forMs) };
    case 'PostgreSQL payments locked':
      return { effect: await lockTable(environment, 'payments', forMs) };
  }
}

const done = async (disturbance: Promise<unknown>): Promise<FaultResult> => {
  await disturbance;
  return {};
};

async function terminate(process: SupervisedProcess, forMs: number): Promise<FaultResult> {
  const { startedAtMs, endedAfterMs } = await process.endAndReturn('SIGTERM', forMs);
  return { undoneAtMs: startedAtMs, effect: `it ended after ${endedAfterMs} ms` };
}

async function suspend<T>(process: SupervisedProcess, meanwhile: () => Promise<T>): Promise<T> {
  process.signal('SIGSTOP');
  try {
    return await meanwhile();
  } finally {
    process.signal('SIGCONT');
  }
}

/** A worker comes for a while, and leaves as a platform ends one that is not needed. */
export async function comeAndLeave(spareWorker: SupervisedProcess, forMs: number): Promise<void> {
  await spareWorker.start();
  try {
    await spareWorker.ready();
    await pause(forMs);
  } finally {
    await spareWorker.leave();
  }
}

/** BullMQ renews a lock by the worker's clock: after a jump back it does not, and another worker takes the job over. */
const LOCK_LOST_WITHIN_MS = 9_000;

async function jumpClock(
  { kind, target, shiftMs, forMs }: PlannedClockJump,
  environment: ChaosEnvironment,
): Promise<FaultResult> {
  const process = (kind === 'clock jump of a worker' ? environment.workers : environment.apis)[target];
  if (process === undefined) throw new Error(`there is no target ${target} for ${kind}`);
  await environment.clocks.shift(process.name, shiftMs);
  await pause(forMs);
  await environment.clocks.shift(process.name, 0);
  const undoneAtMs = Date.now();
  return {
    undoneAtMs,
    endedAtMs: undoneAtMs + LOCK_LOST_WITHIN_MS,
    effect: `${process.name} by ${shiftMs / 60_000} minutes`,
  };
}

/** Longer than a blackhole, the longest fault that can prevent open POSTs. */
const ALL_SERVED_WITHIN_MS = 35_000;

/** Resolves when every steady consumer has an open POST, or after a deadline. @returns how many had one, as text */
async function untilAllServed({ observationLog, steady }: FaultContext): Promise<string> {
  const served = (): number => steady.filter((consumer) => observationLog.isServed(consumer)).length;
  const deadlineMs = performance.now() + ALL_SERVED_WITHIN_MS;
  while (served() < steady.length && performance.now() < deadlineMs) await pause(1);
  return `${served()} of ${steady.length} steady consumers were served`;
}

async function restartRedis(environment: ChaosEnvironment, forMs: number): Promise<void> {
  await environment.redis?.stop({ hard: true });
  await pause(forMs);
  await environment.redis?.start();
}

async function restartPostgres(environment: ChaosEnvironment, hard: boolean, forMs: number): Promise<void> {
  await environment.postgres.stop({ hard });
  await pause(forMs);
  await environment.postgres.start();
}

/** How much longer a disk stays full until a write has failed: existing pages still have space for some rows. */
const NO_SPACE_WITHIN_MS = 10_000;

/** A server that ended because of its full disk is started again when the disk has space, as a platform does. */
async function fillDisk(
  { forMs, crashes }: PlannedFullDisk,
  environment: ChaosEnvironment,
): Promise<FaultResult> {
  const { postgres, log } = environment;
  if (postgres.disk === undefined) throw new Error('PostgreSQL has no disk of its own');
  const before = log.noSpaceErrors;
  const failures = (): number => log.noSpaceErrors - before;
  await postgres.disk.fill();
  try {
    // The server may end before it answers.
    if (crashes) await environment.query('select pg_switch_wal()').catch(() => undefined);
    await pause(forMs);
    const deadlineMs = performance.now() + NO_SPACE_WITHIN_MS;
    while (failures() === 0 && performance.now() < deadlineMs) await pause(100);
  } finally {
    await postgres.disk.addSpace();
  }
  let hasEnded = false;
  const answers = async (): Promise<void> => {
    hasEnded ||= !postgres.isRunning;
    // PostgreSQL may end only now: a crash takes a moment.
    await postgres.start();
    await environment.query('select 1');
  };
  await waitUntil(() => answers().then(() => true), {
    what: 'PostgreSQL to answer after its disk was full',
  });
  return { effect: `${failures()} writes failed${hasEnded ? ', and PostgreSQL ended' : ''}` };
}

async function disturbLink(
  { link: name, forMs, ...disturbance }: PlannedLinkFault,
  environment: ChaosEnvironment,
): Promise<FaultResult> {
  const link = environment.link(name);
  link.set(disturbance);
  await pause(forMs);
  const { opened, disturbedChunks } = link.disturbed;
  link.set({ kind: 'normal' });
  return { effect: `it disturbed ${disturbedChunks} messages and ${opened} new connections` };
}
