import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosConsumer } from '#test/chaos/consumers';
import type { ChaosEnvironment } from '#test/chaos/environment';
import type { FaultDone, ObservationLog } from '#test/chaos/observations';
import type { ProductProcess } from '#test/chaos/product-process';
import { waitUntil } from '#test/support/wait-until';

/** The system that faults disturb. */
export interface DisturbedSystem {
  readonly environment: ChaosEnvironment;
  readonly observationLog: ObservationLog;
  readonly consumers: readonly ChaosConsumer[];
  /** Ids of the consumers that never fail. */
  readonly steady: ReadonlySet<string>;
  /** Gets the violations that a fault or a scenario notices. */
  readonly noticed: string[];
}

/** The result of a fault. */
export interface FaultResult {
  /** When the disturbance ended, if that was before the system had recovered. */
  readonly endedAtMs?: number;
  /** What the fault did, if its label does not say it. */
  readonly effect?: string;
}

/** One thing that can be done to the system. */
export interface Fault {
  readonly label: string;
  /** It begins when each steady consumer has an open POST. */
  readonly whileAllAreServed?: boolean;
  readonly signsWrongTime?: boolean;
  /** Disturbs for this time; resolves when the system has recovered. */
  readonly run: (system: DisturbedSystem, forMs: number) => Promise<FaultResult | void>;
}

/** Executes faults and notes what was done. */
export class Faults {
  readonly done: FaultDone[] = [];

  constructor(
    private readonly system: DisturbedSystem,
    private readonly log: (line: string) => void,
  ) {}

  async execute(fault: Fault, forMs: number): Promise<void> {
    const state = fault.whileAllAreServed === true ? await untilAllServed(this.system) : undefined;
    const beganAtMs = Date.now();
    const inFlight = this.system.observationLog.open;
    const { endedAtMs = Date.now(), effect: outcome } = (await fault.run(this.system, forMs)) ?? {};
    const effect = [state, outcome].filter((text) => text !== undefined).join(', in the end ') || undefined;
    const { label, signsWrongTime = false } = fault;
    this.done.push({ label, beganAtMs, endedAtMs, inFlight, effect, signsWrongTime });
    const tookMs = Date.now() - beganAtMs;
    this.log(
      `${label}: ${inFlight} POSTs open, over after ${tookMs} ms${effect === undefined ? '' : `; ${effect}`}`,
    );
  }
}

/** Ends a process, and starts it again after a while. */
export const restart =
  (signal: 'SIGKILL' | 'SIGTERM') =>
  async (process: ProductProcess, _system: DisturbedSystem, forMs: number): Promise<FaultResult> => {
    const { startedAtMs, endedAfterMs } = await process.endAndReturn(signal, forMs);
    return { endedAtMs: startedAtMs, effect: `it ended after ${endedAfterMs} ms` };
  };

export async function suspend<T>(process: ProductProcess, meanwhile: () => Promise<T>): Promise<T> {
  process.signal('SIGSTOP');
  try {
    return await meanwhile();
  } finally {
    process.signal('SIGCONT');
  }
}

/** Redis is killed; PostgreSQL stops, or crashes if `hard`. */
export const restartServer =
  (server: 'redis' | 'postgres', hard = server === 'redis'): Fault['run'] =>
  async ({ environment }, forMs) => {
    await environment[server]?.stop({ hard });
    await pause(forMs);
    await environment[server]?.start();
  };

/** Longer than a blackhole, the longest fault that can prevent open POSTs. */
const ALL_SERVED_WITHIN_MS = 35_000;

/** Resolves when every steady consumer has an open POST, or after a deadline. @returns how many had one, as text */
export async function untilAllServed({ observationLog, steady }: DisturbedSystem): Promise<string> {
  const served = (): number => [...steady].filter((consumer) => observationLog.openTo(consumer) > 0).length;
  const deadlineMs = performance.now() + ALL_SERVED_WITHIN_MS;
  while (served() < steady.size && performance.now() < deadlineMs) await pause(1);
  return `${served()} of ${steady.size} steady consumers were served`;
}

/** Locks a table against reads and writes, as a manual `alter table` does. */
export async function lockTable(
  environment: ChaosEnvironment,
  table: string,
  forMs: number,
): Promise<FaultResult> {
  const holder = await environment.connect();
  try {
    await holder.query('begin');
    await holder.query(`lock table ${table} in access exclusive mode`);
    const endAtMs = performance.now() + forMs;
    let most = 0;
    while (performance.now() < endAtMs) {
      const waiting = await environment.query(
        'select from pg_locks where relation = to_regclass($1) and not granted',
        [table],
      );
      most = Math.max(most, waiting.length);
      await pause(200);
    }
    await holder.query('rollback');
    return { effect: `at most ${most} statements waited at the same time` };
  } finally {
    await holder.end();
  }
}

/** How much longer a disk stays full until a write has failed: existing pages still have space for some rows. */
const NO_SPACE_WITHIN_MS = 10_000;

/** A server that ended because of its full disk is started again when the disk has space, as a platform does. */
export const fillDisk =
  (crashes: boolean): Fault['run'] =>
  async ({ environment }, forMs) => {
    const { postgres } = environment;
    if (postgres.disk === undefined) throw new Error('PostgreSQL has no disk of its own');
    const before = environment.noSpaceErrors;
    const failures = (): number => environment.noSpaceErrors - before;
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
    const answers = async (): Promise<true> => {
      hasEnded ||= !postgres.isRunning;
      // PostgreSQL may end only now: a crash takes a moment.
      await postgres.start();
      await environment.query('select 1');
      return true;
    };
    await waitUntil(answers, { what: 'PostgreSQL to answer after its disk was full' });
    return { effect: `${failures()} writes failed${hasEnded ? ', and PostgreSQL ended' : ''}` };
  };
