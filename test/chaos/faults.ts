import { setTimeout as pause } from 'node:timers/promises';
import { disturbed, type Disturbed, type FaultKind, type PlannedFault } from '#test/chaos/schedule';
import type { FaultDone } from '#test/chaos/observations';
import type { Stage } from '#test/chaos/stage';

const CUT_POSTGRES = `select pg_terminate_backend(pid) from pg_stat_activity
                      where backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** Does faults to the stage, those that disturb the same thing one after the other, and remembers each. */
export class Faults {
  readonly done: FaultDone[] = [];
  private readonly underWay = new Map<Disturbed, Promise<void>>();

  constructor(
    private readonly stage: Stage,
    private readonly inFlight: () => number,
    private readonly tell: (line: string) => void,
  ) {}

  /** Does each at its time; resolves when the last is over. */
  async follow(plan: readonly PlannedFault[]): Promise<void> {
    const beganAtMs = performance.now();
    for (const fault of plan) {
      await pause(Math.max(0, fault.atMs - (performance.now() - beganAtMs)));
      const kind = disturbed(fault.kind);
      const before = this.underWay.get(kind) ?? Promise.resolve();
      const next = before.then(() => this.carryOut(fault));
      // Its failure is thrown below, where all are awaited.
      next.catch(() => undefined);
      this.underWay.set(kind, next);
    }
    await Promise.all(this.underWay.values());
  }

  /** Does one now. */
  async carryOut(fault: PlannedFault): Promise<void> {
    const beganAtMs = Date.now();
    const inFlight = this.inFlight();
    await this.act(fault);
    const endedAtMs = Date.now();
    this.done.push({ label: fault.kind, beganAtMs, endedAtMs, inFlight });
    this.tell(
      `${fault.kind}${/worker|api/.test(fault.kind) ? ` ${fault.target}` : ''}: ` +
        `planned at ${(fault.atMs / 1_000).toFixed(1)} s, ${inFlight} POSTs open, whole again after ${endedAtMs - beganAtMs} ms`,
    );
  }

  private act({ kind, target, forMs }: PlannedFault): Promise<unknown> {
    switch (kind) {
      case 'SIGKILL worker':
      case 'SIGTERM worker':
      case 'SIGKILL api':
      case 'SIGTERM api':
        return this.processOf(kind, target).endAndReturn(
          kind.startsWith('SIGKILL') ? 'SIGKILL' : 'SIGTERM',
          forMs,
        );
      case 'SIGSTOP worker':
      case 'SIGSTOP api':
        return this.freeze(kind, target, forMs);
      case 'Redis FLUSHALL':
        return this.stage.tellRedis('FLUSHALL');
      case 'Redis restart':
        return this.restartRedis(forMs);
      case 'Redis replaced by an empty one':
        return this.stage.tellRedis('FLUSHALL').then(() => this.restartRedis(forMs));
      case 'Redis connections cut':
        return this.stage.tellRedis('CLIENT', 'KILL', 'TYPE', 'normal');
      case 'PostgreSQL fast restart':
        return this.restartPostgres(false, forMs);
      case 'PostgreSQL immediate restart':
        return this.restartPostgres(true, forMs);
      case 'PostgreSQL connections cut':
        return this.stage.ask(CUT_POSTGRES);
    }
  }

  private processOf(kind: FaultKind, target: number) {
    const process = (kind.endsWith('worker') ? this.stage.workers : this.stage.apis)[target];
    if (process === undefined) throw new Error(`there is no target ${target} for ${kind}`);
    return process;
  }

  private async freeze(kind: FaultKind, target: number, forMs: number): Promise<void> {
    const process = this.processOf(kind, target);
    process.signal('SIGSTOP');
    await pause(forMs);
    process.signal('SIGCONT');
  }

  private async restartRedis(forMs: number): Promise<void> {
    await this.stage.redis?.stop({ hard: true });
    await pause(forMs);
    await this.stage.redis?.start();
  }

  private async restartPostgres(hard: boolean, forMs: number): Promise<void> {
    await this.stage.postgres.stop({ hard });
    await pause(forMs);
    await this.stage.postgres.start();
  }
}
