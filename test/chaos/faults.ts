import { setTimeout as pause } from 'node:timers/promises';
import { executeFault, waitForMoment, type FaultContext } from '#test/chaos/execute-fault';
import { disturbed, labelOf, workerOf, type Disturbed, type PlannedFault } from '#test/chaos/fault-kinds';
import type { FaultDone } from '#test/chaos/observations';

/** Executes and records faults. Faults with the same target run one after the other. */
export class Faults {
  readonly done: FaultDone[] = [];
  private readonly underWay = new Map<Disturbed, Promise<void>>();

  constructor(
    private readonly context: FaultContext,
    private readonly log: (line: string) => void,
  ) {}

  /** Executes each fault at its time; resolves when the last one is over. */
  async follow(plan: readonly PlannedFault[]): Promise<void> {
    const beganAtMs = performance.now();
    for (const fault of plan) {
      await pause(Math.max(0, fault.atMs - (performance.now() - beganAtMs)));
      const kind = disturbed(fault.kind);
      const before = this.underWay.get(kind) ?? Promise.resolve();
      const next = before.then(() => this.execute(fault));
      // A failure is thrown below, where all faults are awaited.
      next.catch(() => undefined);
      this.underWay.set(kind, next);
    }
    await Promise.all(this.underWay.values());
  }

  /** Executes one fault now. */
  async execute(fault: PlannedFault): Promise<void> {
    const state = await waitForMoment(fault, this.context);
    const beganAtMs = Date.now();
    const inFlight = this.context.observationLog.open;
    const { undoneAtMs, endedAtMs = Date.now(), effect: outcome } = await executeFault(fault, this.context);
    const effect = [state, outcome].filter((text) => text !== undefined).join(', in the end ') || undefined;
    const label = labelOf(fault);
    this.done.push({
      label,
      worker: workerOf(fault),
      beganAtMs,
      undoneAtMs: undoneAtMs ?? endedAtMs,
      endedAtMs,
      inFlight,
      effect,
    });
    const target = 'target' in fault && /(worker|api)/.test(fault.kind) ? ` ${fault.target}` : '';
    this.log(
      `${label}${target}: planned at ${(fault.atMs / 1_000).toFixed(1)} s, ${inFlight} POSTs open, ` +
        `recovered after ${endedAtMs - beganAtMs} ms${effect === undefined ? '' : `; ${effect}`}`,
    );
  }
}
