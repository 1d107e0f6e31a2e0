import { SLOW_MS, type RequestsInFlight } from './in-flight.js';

/** A session begins with so many requests at once. */
const FIRST_WINDOW = 4;

/** At most so many requests are in flight for each slot, however long they take: their bodies are in memory. */
const IN_FLIGHT_PER_SLOT = 4;

/** Part of the slots for sessions that have not succeeded since they began or last failed. */
const UNPROVEN_SHARE = 0.5;

/** The part of the slots that one consumer may have while others are served. */
const MOST_OF_SLOTS = 0.75;

/**
 * How many requests a consumer gets at once: 4 at first, twice as many after each success, half after each failure. It is
 * proven while it answers: it has succeeded since its last failure, and since its oldest request became slow. Until then
 * it gets no more than 4. Slow requests count only if nothing was answered since the oldest one began: otherwise a
 * consumer with a few requests that hang would get nothing until they end. Times are `performance.now()`.
 */
export class SlowStart {
  private size = FIRST_WINDOW;
  private hasSucceeded = false;
  private succeededAtMs = Number.NEGATIVE_INFINITY;

  succeeded(nowMs: number, limit: number): void {
    this.hasSucceeded = true;
    this.succeededAtMs = nowMs;
    this.size = Math.max(this.size, Math.min(limit, this.size * 2));
  }

  failed(): void {
    this.hasSucceeded = false;
    this.size = Math.max(1, Math.floor(this.size / 2));
  }

  isProven(nowMs: number, { oldestSinceMs }: InFlight): boolean {
    if (!this.hasSucceeded || oldestSinceMs === null) return this.hasSucceeded;
    return nowMs - oldestSinceMs < SLOW_MS || this.hasAnsweredSince(oldestSinceMs);
  }

  /** How many more requests the consumer gets now; negative if it has too many. */
  free(nowMs: number, inFlight: InFlight): number {
    const window = this.isProven(nowMs, inFlight) ? this.size : Math.min(this.size, FIRST_WINDOW);
    const { oldestSinceMs } = inFlight;
    const answers = oldestSinceMs !== null && this.hasAnsweredSince(oldestSinceMs);
    return window - (answers ? inFlight.busy(nowMs) : inFlight.size);
  }

  private hasAnsweredSince(oldestSinceMs: number): boolean {
    return this.succeededAtMs > oldestSinceMs;
  }
}

type InFlight = Pick<RequestsInFlight, 'size' | 'oldestSinceMs' | 'busy'>;

/** What a session has and wants. */
export interface SlotDemand {
  /** Requests in flight. */
  readonly inFlight: number;
  /** Requests in flight that take a slot. */
  readonly busy: number;
  /** Further requests. */
  readonly wants: number;
  /** It has succeeded since it began and since it last failed, and its requests are answered. */
  readonly isProven: boolean;
}

/**
 * Divides a worker's free slots among its sessions: equally, and at most half of all slots to sessions that are not
 * proven. So any number of consumers that do not answer leave the other half to the rest.
 * @param demands in order of precedence: with fewer slots than sessions, the first ones get a slot
 * @param gone requests in flight of sessions that this worker has left
 * @returns how many more requests each session may begin
 */
export function divideSlots(
  slots: number,
  demands: readonly SlotDemand[],
  gone: readonly Pick<SlotDemand, 'inFlight' | 'busy'>[] = [],
): number[] {
  const sum = (of: 'inFlight' | 'busy'): number =>
    [...demands, ...gone].reduce((all, demand) => all + demand[of], 0);
  const free = Math.max(0, Math.min(slots - sum('busy'), IN_FLIGHT_PER_SLOT * slots - sum('inFlight')));
  const unprovenBusy = demands.reduce((all, { isProven, busy }) => all + (isProven ? 0 : busy), 0);
  const unprovenFree = Math.max(0, Math.ceil(slots * UNPROVEN_SHARE) - unprovenBusy);
  const most = demands.length > 1 ? Math.ceil(slots * MOST_OF_SLOTS) : slots;
  const wants = demands.map(({ wants: wanted, busy }) => Math.min(wanted, Math.max(0, most - busy)));
  const ofUnproven = (shares: readonly number[]): number[] =>
    shares.map((share, index) => (demands[index]?.isProven === true ? 0 : share));
  const equal = shareEqually(free, wants);
  if (ofUnproven(equal).reduce((all, share) => all + share, 0) <= unprovenFree) return equal;
  const unproven = shareEqually(Math.min(free, unprovenFree), ofUnproven(wants));
  const given = unproven.reduce((all, share) => all + share, 0);
  const proven = shareEqually(
    free - given,
    wants.map((want, index) => (demands[index]?.isProven === true ? want : 0)),
  );
  return proven.map((share, index) => share + (unproven[index] ?? 0));
}

/** Divides equally; one that wants less than an equal share gets what it wants, and the others share the rest. */
function shareEqually(free: number, wants: readonly number[]): number[] {
  const shares = wants.map(() => 0);
  let left = free;
  let unsatisfied = wants.flatMap((want, index) => (want > 0 ? [index] : []));
  while (left > 0 && unsatisfied.length > 0) {
    const each = Math.max(1, Math.floor(left / unsatisfied.length));
    const still: number[] = [];
    for (const index of unsatisfied) {
      const given = Math.min(each, left, (wants[index] ?? 0) - (shares[index] ?? 0));
      shares[index] = (shares[index] ?? 0) + given;
      left -= given;
      if ((shares[index] ?? 0) < (wants[index] ?? 0)) still.push(index);
    }
    unsatisfied = still;
  }
  return shares;
}
