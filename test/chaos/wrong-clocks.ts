import { movesWorkersClock } from '#test/chaos/fault-kinds';
import type { Arrival, FaultDone } from '#test/chaos/observations';

/** A time in which a worker signs with a wrong timestamp, so that consumers rightly refuse what it sends. */
export interface WrongClock {
  readonly worker: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What was signed with the wrong time arrives, and fails, within this time. */
const AFTER_JUMP_MS = 1_000;

export const wrongClocks = (faults: readonly FaultDone[]): WrongClock[] =>
  faults.flatMap(({ label, worker, beganAtMs, undoneAtMs, endedAtMs }) =>
    movesWorkersClock(label) && worker !== undefined
      ? [{ worker, fromMs: beganAtMs, untilMs: (undoneAtMs ?? endedAtMs) + AFTER_JUMP_MS }]
      : [],
  );

const TIME_FAULTS: ReadonlySet<string> = new Set(['timestamp_too_old', 'timestamp_ahead']);

/** Whether a consumer refused this POST because of its sender's wrong clock. */
export const isOfWrongClock = (
  { signature, worker, beganAtMs }: Pick<Arrival, 'signature' | 'worker' | 'beganAtMs'>,
  clocks: readonly WrongClock[],
): boolean =>
  TIME_FAULTS.has(signature) &&
  clocks.some(
    (clock) =>
      (worker === null || worker === clock.worker) && beganAtMs >= clock.fromMs && beganAtMs <= clock.untilMs,
  );
