import { setTimeout as pause } from 'node:timers/promises';
import {
  disturbed,
  type PlannedFault,
  type PlannedFullDisk,
  type PlannedLinkFault,
} from '#test/chaos/fault-kinds';
import type { ObservationLog } from '#test/chaos/observation-log';
import { PENDING_TABLE } from '#test/chaos/pending-table';
import type { ChaosEnvironment } from '#test/chaos/chaos-environment';
import type { SupervisedProcess } from '#test/chaos/supervised-process';
import { lockTable } from '#test/chaos/table-lock';
import { waitUntil } from '#test/support/wait-until';

/** What faults are done to. */
export interface ActsOn {
  readonly stage: ChaosEnvironment;
  readonly observationLog: ObservationLog;
  /** Consumers that never fail. */
  readonly steady: readonly string[];
}

const CUT_POSTGRES = `select pg_terminate_backend(pid) from pg_stat_activity
                      where backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** What came of a fault. */
export interface Done {
  /** When nothing was done to the system any more; absent where that is when it was whole again. */
  readonly undoneAtMs?: number;
  /** Where it does not go without saying. */
  readonly effect?: string;
}

/** Resolves at the moment for this fault; most have no need to wait for one. Tells what it is like. */
export async function moment({ kind }: PlannedFault, on: ActsOn): Promise<string | undefined> {
  return kind === 'Redis FLUSHALL while all are served' || kind === 'SIGSTOP worker until another delivers'
    ? untilAllServed(on)
    : undefined;
}

/** Does a fault and undoes it; resolves when what it disturbed is whole again. */
export async function act(fault: PlannedFault, on: ActsOn): Promise<Done> {
  if ('link' in fault) return disturbLink(fault, on.stage);
  if ('crashes' in fault) return fillDisk(fault, on.stage);
  const { stage } = on;
  const { kind, target, forMs } = fault;
  const process = (disturbed(kind) === 'worker' ? stage.workers : stage.apis)[target];
  if (process === undefined) throw new Error(`there is no target ${target} for ${kind}`);
  switch (kind) {
    case 'SIGKILL worker':
    case 'SIGKILL api':
      return { undoneAtMs: (await process.endAndReturn('SIGKILL', forMs)).startedAtMs };
    case 'SIGTERM worker':
    case 'SIGTERM api':
      return terminate(process, forMs);
    case 'SIGSTOP worker':
    case 'SIGSTOP api':
      await freeze(process, () => pause(forMs));
      return {};
    case 'SIGSTOP worker until another delivers':
      return { effect: await freeze(process, () => pause(forMs).then(() => untilAllServed(on))) };
    case 'Redis FLUSHALL':
    case 'Redis FLUSHALL while all are served':
      await stage.tellRedis('FLUSHALL');
      return {};
    case 'Redis restart':
      await restartRedis(stage, forMs);
      return {};
    case 'Redis replaced by an empty one':
      await stage.tellRedis('FLUSHALL');
      await restartRedis(stage, forMs);
      return {};
    case 'Redis connections cut':
      await stage.tellRedis('CLIENT', 'KILL', 'TYPE', 'normal');
      return {};
    case 'PostgreSQL fast restart':
      await restartPostgres(stage, false, forMs);
      return {};
    case 'PostgreSQL immediate restart':
      await restartPostgres(stage, true, forMs);
      return {};
    case 'PostgreSQL connections cut':
      await stage.ask(CUT_POSTGRES);
      return {};
    case 'PostgreSQL pending deliveries locked':
      return { effect: await lockTable(stage, PENDING_TABLE, forMs) };
    case 'PostgreSQL payments locked':
      return { effect: await lockTable(stage, 'payments', forMs) };
  }
}

async function terminate(process: SupervisedProcess, forMs: number): Promise<Done> {
  const { startedAtMs, endedAfterMs } = await process.endAndReturn('SIGTERM', forMs);
  return { undoneAtMs: startedAtMs, effect: `it ended after ${endedAfterMs} ms` };
}

async function freeze<T>(process: SupervisedProcess, meanwhile: () => Promise<T>): Promise<T> {
  process.signal('SIGSTOP');
  try {
    return await meanwhile();
  } finally {
    process.signal('SIGCONT');
  }
}

/** Another fault may be in the way of all being served: the longest is a blackhole. */
const ALL_SERVED_WITHIN_MS = 35_000;

/** Resolves when every steady consumer has a POST open, or after a while without. Tells how many had one. */
async function untilAllServed({ observationLog, steady }: ActsOn): Promise<string> {
  const served = (): number => steady.filter((consumer) => observationLog.isServed(consumer)).length;
  const deadlineMs = performance.now() + ALL_SERVED_WITHIN_MS;
  while (served() < steady.length && performance.now() < deadlineMs) await pause(1);
  return `${served()} of ${steady.length} steady consumers were served`;
}

async function restartRedis(stage: ChaosEnvironment, forMs: number): Promise<void> {
  await stage.redis?.stop({ hard: true });
  await pause(forMs);
  await stage.redis?.start();
}

async function restartPostgres(stage: ChaosEnvironment, hard: boolean, forMs: number): Promise<void> {
  await stage.postgres.stop({ hard });
  await pause(forMs);
  await stage.postgres.start();
}

/** How long a disk stays full beyond its time until a write has failed for it: pages with room take some more rows. */
const NO_SPACE_WITHIN_MS = 10_000;

/** A server that has given up on its full disk is started again when there is room, as a platform does. */
async function fillDisk({ forMs, crashes }: PlannedFullDisk, stage: ChaosEnvironment): Promise<Done> {
  const { postgres, log } = stage;
  if (postgres.disk === undefined) throw new Error('PostgreSQL has no disk of its own');
  const before = log.noSpaceErrors;
  const failures = (): number => log.noSpaceErrors - before;
  await postgres.disk.fill();
  try {
    // It may be down before it has answered.
    if (crashes) await stage.ask('select pg_switch_wal()').catch(() => undefined);
    await pause(forMs);
    const deadlineMs = performance.now() + NO_SPACE_WITHIN_MS;
    while (failures() === 0 && performance.now() < deadlineMs) await pause(100);
  } finally {
    await postgres.disk.makeRoom();
  }
  let hasEnded = false;
  const answers = async (): Promise<void> => {
    hasEnded ||= !postgres.isRunning;
    // It may still be about to give up: its recovery met the full disk, too.
    await postgres.start();
    await stage.ask('select 1');
  };
  await waitUntil(() => answers().then(() => true), {
    what: 'PostgreSQL to answer after its disk was full',
  });
  return { effect: `${failures()} writes failed${hasEnded ? ', and PostgreSQL ended' : ''}` };
}

async function disturbLink(
  { link: name, forMs, ...disturbance }: PlannedLinkFault,
  stage: ChaosEnvironment,
): Promise<Done> {
  const link = stage.link(name);
  link.set(disturbance);
  await pause(forMs);
  const { opened, disturbedChunks } = link.met;
  link.set({ kind: 'whole' });
  return { effect: `it met ${disturbedChunks} messages and ${opened} new connections` };
}
