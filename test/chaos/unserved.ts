import { deliveryKey, type AcceptedEvent, type Arrival } from '#test/chaos/observations';

/** A time in which a consumer may wait for longer: a worker is dead or cut off, and its lock has to run out first. */
export interface Takeover {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** How long a consumer with due deliveries may have no session, in milliseconds. */
export interface ServiceLimits {
  readonly usualMs: number;
  readonly takeoverMs: number;
}

export interface UnservedEvidence {
  readonly accepted: readonly AcceptedEvent[];
  readonly arrivals: readonly Arrival[];
  /** Consumers that answer at once, so that a session always sends to them. */
  readonly prompt: ReadonlySet<string>;
  readonly takeovers: readonly Takeover[];
  /** Null: nothing is a violation. */
  readonly limits: ServiceLimits | null;
}

export interface Unserved {
  /** The longest time a consumer with due deliveries had no session, outside and inside of takeovers. */
  readonly longestMs: number;
  readonly longestTakeoverMs: number;
  /** Times beyond the limit. */
  readonly tooLong: readonly string[];
}

/**
 * Measures how long consumers with due deliveries had no session: from the 202 or the last POST, whichever is later, to
 * the next POST, while a delivery has not arrived. A session sends at once, so this is an upper bound. Pure.
 */
export function unserved(evidence: UnservedEvidence): Unserved {
  const { prompt, takeovers, limits } = evidence;
  const gaps = [...prompt].flatMap((consumer) => gapsOf(consumer, evidence));
  const ofTakeover = (gap: Gap): boolean =>
    takeovers.some(({ fromMs, untilMs }) => gap.fromMs < untilMs && gap.untilMs > fromMs);
  const [during, usual] = [gaps.filter(ofTakeover), gaps.filter((gap) => !ofTakeover(gap))];
  const tooLong = (found: readonly Gap[], limitMs: number): string[] =>
    found.flatMap(({ consumer, fromMs, untilMs }) =>
      untilMs - fromMs <= limitMs
        ? []
        : [`${consumer} waited ${untilMs - fromMs} ms from ${new Date(fromMs).toISOString()}`],
    );
  return {
    longestMs: longest(usual),
    longestTakeoverMs: longest(during),
    tooLong:
      limits === null ? [] : [...tooLong(usual, limits.usualMs), ...tooLong(during, limits.takeoverMs)],
  };
}

interface Gap {
  readonly consumer: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

const longest = (gaps: readonly Gap[]): number =>
  gaps.reduce((most, { fromMs, untilMs }) => Math.max(most, untilMs - fromMs), 0);

function gapsOf(consumer: string, { accepted, arrivals }: UnservedEvidence): Gap[] {
  const posts = arrivals
    .filter((arrival) => arrival.consumer === consumer)
    .toSorted((a, b) => a.beganAtMs - b.beganAtMs);
  const firstAtMs = new Map<string, number>();
  for (const { notificationId, beganAtMs } of posts) {
    const key = deliveryKey(notificationId, consumer);
    if (!firstAtMs.has(key)) firstAtMs.set(key, beganAtMs);
  }
  // A delivery that never arrives is lost, which is another violation.
  const waits = accepted
    .filter(({ consumers }) => consumers.includes(consumer))
    .flatMap(({ notificationId, acceptedAtMs }) => {
      const arrivedAtMs = firstAtMs.get(deliveryKey(notificationId, consumer));
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
