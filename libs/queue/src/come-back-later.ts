/** Thrown by the processor to have the same job again after `delayMs`; not a fault. */
export class ComeBackLater extends Error {
  override readonly name = 'ComeBackLater';
  readonly delayMs: number;
  constructor(delayMs: number) {
    super('come back later');
    this.delayMs = Math.max(0, Math.round(delayMs));
  }
}

/** After a fault of ours (PostgreSQL away, a bug) the job comes back after 2 s, then later and later, at most 15 s; no attempt is spent. */
const FAULT_DELAYS_MS = { first: 1_000, most: 15_000 } as const;

/** BullMQ's custom backoff strategy: the delay in milliseconds until the job is tried again. */
export function backoff(attemptsMade: number, _type?: string, error?: Error): number {
  if (error instanceof ComeBackLater) return error.delayMs;
  return Math.min(FAULT_DELAYS_MS.most, FAULT_DELAYS_MS.first * 2 ** Math.min(attemptsMade, 4));
}
