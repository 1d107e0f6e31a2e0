import type { Evidence } from '#test/chaos/evidence';
import { deliveryKey, type ServiceLimits } from '#test/chaos/observations';

/** A consumer that never fails has received everything this long after the last fault. */
const CAUGHT_UP_WITHIN_MS = 15_000;

/** A time that was measured, and those that were too long. */
export interface Waits {
  readonly longestMs: number;
  readonly tooLong: readonly string[];
}

const longest = (all: readonly number[]): number => all.reduce((most, ms) => Math.max(most, ms), 0);

/**
 * How long steady consumers waited for deliveries: from the end of the last disturbance, or from the 202 if that was later,
 * to the first acknowledgement. A delivery that never arrived is lost, which is another violation.
 */
export function catchUp({ accepted, arrivals, steady, faults }: Evidence): Waits {
  const undisturbedAtMs = Math.max(...faults.map(({ endedAtMs }) => endedAtMs));
  const acknowledgedAtMs = new Map<string, number>();
  for (const { notificationId, consumer, acknowledgedAtMs: atMs } of arrivals) {
    const key = deliveryKey(notificationId, consumer);
    if (atMs !== null) acknowledgedAtMs.set(key, Math.min(atMs, acknowledgedAtMs.get(key) ?? Infinity));
  }
  const waits = accepted.flatMap(({ notificationId, consumers, acceptedAtMs }) =>
    consumers
      .filter((consumer) => steady.has(consumer))
      .flatMap((consumer) => {
        const key = deliveryKey(notificationId, consumer);
        const atMs = acknowledgedAtMs.get(key);
        return atMs === undefined ? [] : [{ key, waitedMs: atMs - Math.max(undisturbedAtMs, acceptedAtMs) }];
      }),
  );
  return {
    longestMs: longest(waits.map(({ waitedMs }) => waitedMs)),
    tooLong: waits
      .filter(({ waitedMs }) => waitedMs > CAUGHT_UP_WITHIN_MS)
      .map(({ key, waitedMs }) => `${key} arrived ${waitedMs} ms after the last fault`),
  };
}

interface Gap {
  readonly consumer: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * How long steady consumers with due deliveries had no session, outside and inside of takeovers: from the 202 or the last
 * POST, whichever is later, to the next POST, while a delivery has not arrived. A session sends at once, so this is an upper
 * bound.
 */
export function unserved(evidence: Evidence): { readonly usual: Waits; readonly takeover: Waits } {
  const { steady, takeovers, limits } = evidence;
  const gaps = [...steady].flatMap((consumer) => gapsOf(consumer, evidence));
  const isOfTakeover = (gap: Gap): boolean =>
    takeovers.some(({ fromMs, untilMs }) => gap.fromMs < untilMs && gap.untilMs > fromMs);
  const measured = (found: readonly Gap[], limit: keyof ServiceLimits): Waits => ({
    longestMs: longest(found.map(({ fromMs, untilMs }) => untilMs - fromMs)),
    tooLong: found
      .filter(({ fromMs, untilMs }) => untilMs - fromMs > (limits?.[limit] ?? Infinity))
      .map(
        ({ consumer, fromMs, untilMs }) =>
          `${consumer} waited ${untilMs - fromMs} ms from ${new Date(fromMs).toISOString()}`,
      ),
  });
  return {
    usual: measured(
      gaps.filter((gap) => !isOfTakeover(gap)),
      'usualMs',
    ),
    takeover: measured(gaps.filter(isOfTakeover), 'takeoverMs'),
  };
}

function gapsOf(consumer: string, { accepted, arrivals }: Evidence): Gap[] {
  const posts = arrivals
    .filter((arrival) => arrival.consumer === consumer)
    .toSorted((a, b) => a.beganAtMs - b.beganAtMs);
  const firstAtMs = new Map<string, number>();
  for (const { notificationId, beganAtMs } of posts)
    if (!firstAtMs.has(notificationId)) firstAtMs.set(notificationId, beganAtMs);
  const waits = accepted
    .filter(({ consumers }) => consumers.includes(consumer))
    .flatMap(({ notificationId, acceptedAtMs }) => {
      const arrivedAtMs = firstAtMs.get(notificationId);
      return arrivedAtMs === undefined ? [] : [{ fromMs: acceptedAtMs, untilMs: arrivedAtMs }];
    })
    .toSorted((a, b) => a.fromMs - b.fromMs);
  let lastPostAtMs = Number.NEGATIVE_INFINITY;
  let first = 0;
  return posts.flatMap(({ beganAtMs }) => {
    // What is over stays over: a run of ten minutes must not be searched from its start for each POST.
    while ((waits[first]?.untilMs ?? Infinity) <= lastPostAtMs) first += 1;
    const next = waits[first];
    const since = next !== undefined && next.fromMs < beganAtMs ? next : undefined;
    const fromMs = Math.max(since?.fromMs ?? beganAtMs, lastPostAtMs);
    lastPostAtMs = beganAtMs;
    return fromMs < beganAtMs ? [{ consumer, fromMs, untilMs: beganAtMs }] : [];
  });
}
