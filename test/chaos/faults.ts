import { setTimeout as pause } from 'node:timers/promises';
import { act, moment, type ActsOn } from '#test/chaos/act';
import { disturbed, labelOf, type Disturbed, type PlannedFault } from '#test/chaos/fault-kinds';
import type { FaultDone } from '#test/chaos/observations';

/** Does faults to the stage, those that disturb the same thing one after the other, and remembers each. */
export class Faults {
  readonly done: FaultDone[] = [];
  private readonly underWay = new Map<Disturbed, Promise<void>>();

  constructor(
    private readonly on: ActsOn,
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
    const like = await moment(fault, this.on);
    const beganAtMs = Date.now();
    const inFlight = this.on.observationLog.open;
    const { undoneAtMs, effect: outcome } = await act(fault, this.on);
    const endedAtMs = Date.now();
    const effect = [like, outcome].filter((text) => text !== undefined).join(', in the end ') || undefined;
    const label = labelOf(fault);
    this.done.push({ label, beganAtMs, undoneAtMs: undoneAtMs ?? endedAtMs, endedAtMs, inFlight, effect });
    const target = 'target' in fault && /(worker|api)/.test(fault.kind) ? ` ${fault.target}` : '';
    this.tell(
      `${label}${target}: planned at ${(fault.atMs / 1_000).toFixed(1)} s, ${inFlight} POSTs open, ` +
        `whole again after ${endedAtMs - beganAtMs} ms${effect === undefined ? '' : `; ${effect}`}`,
    );
  }
}
