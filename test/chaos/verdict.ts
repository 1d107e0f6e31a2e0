import { isDeepStrictEqual } from 'node:util';
import type { Evidence } from '#test/chaos/evidence';
import { historyFaults, signsWrongTimeAt } from '#test/chaos/history';
import { deliveryKey, type AcceptedEvent, type Arrival } from '#test/chaos/observations';
import { catchUp, unserved } from '#test/chaos/waits';

/** The comparison of the accepted events with the arrivals and PostgreSQL's tables. */
export interface Verdict {
  readonly violations: Readonly<
    Record<
      /** Deliveries that the consumer never acknowledged. */
      | 'lost'
      /** Deliveries whose first POST began before the previous status of the payment was acknowledged. */
      | 'outOfOrder'
      /** POSTs to a consumer that should not receive the event. */
      | 'foreign'
      | 'badSignatures'
      /** Notifications whose body differs between arrivals, from PostgreSQL's, or in content from the posted change. */
      | 'differentBytes'
      /** Contradictions of PostgreSQL's tables, and what was noticed during the run. */
      | 'history'
      /** Deliveries that a steady consumer got too long after the last fault. */
      | 'late'
      /** Times in which a steady consumer with due deliveries had no session for too long. */
      | 'unserved',
      readonly string[]
    >
  >;
  readonly expectedDeliveries: number;
  /** Arrivals of notifications that the consumer had acknowledged before, and at most how many can be. */
  readonly duplicates: { readonly total: number; readonly bound: number };
  readonly catchUpMs: number;
  readonly longestUnservedMs: number;
  readonly longestTakeoverMs: number;
}

/** Pure. */
export function judge(evidence: Evidence): Verdict {
  const { accepted, arrivals, history } = evidence;
  const arrivalsOf = Map.groupBy(arrivals, (a) => deliveryKey(a.notificationId, a.consumer));
  const deliveries = accepted.flatMap((event) =>
    event.consumers.map((consumer) => ({
      key: deliveryKey(event.notificationId, consumer),
      payment: `${consumer} ${event.payment}`,
      position: event.position,
    })),
  );
  const expected = new Set(deliveries.map(({ key }) => key));
  // Dead and cancelled deliveries leave a gap in the order of their payment.
  const ended = new Set(
    history.deliveries
      .filter(({ state }) => state !== 'delivered')
      .map((d) => deliveryKey(d.event_id, d.consumer_id)),
  );
  const inOrder = Map.groupBy(
    deliveries.filter(({ key }) => !ended.has(key)).toSorted((a, b) => a.position - b.position),
    ({ payment }) => payment,
  );
  const { longestMs: catchUpMs, tooLong: late } = catchUp(evidence);
  const { usual, takeover } = unserved(evidence);
  return {
    violations: {
      lost: [...expected].filter((key) => !(arrivalsOf.get(key) ?? []).some(isAcknowledged)),
      outOfOrder: [...inOrder.values()].flatMap((statuses) =>
        tooEarly(
          statuses.map(({ key }) => key),
          arrivalsOf,
        ),
      ),
      foreign: [...arrivalsOf].flatMap(([key, found]) => (expected.has(key) ? [] : found.map(() => key))),
      badSignatures: arrivals
        .filter((arrival) => arrival.signature !== 'verified' && !isOfWrongClock(arrival, evidence))
        .map((a) => `${deliveryKey(a.notificationId, a.consumer)} ${a.signature}`),
      differentBytes: accepted.flatMap((event) => bytesFault(event, evidence) ?? []),
      history: [...historyFaults(evidence), ...evidence.noticed],
      late,
      unserved: [...usual.tooLong, ...takeover.tooLong],
    },
    expectedDeliveries: deliveries.length,
    duplicates: {
      total: [...arrivalsOf.values()].reduce((sum, found) => sum + duplicatesIn(found), 0),
      bound: evidence.faults.reduce((sum, { inFlight }) => sum + inFlight, 0),
    },
    catchUpMs,
    longestUnservedMs: usual.longestMs,
    longestTakeoverMs: takeover.longestMs,
  };
}

const isAcknowledged = (arrival: Arrival): boolean => arrival.acknowledgedSequence !== null;

const acknowledgedFirst = (arrivals: readonly Arrival[]): number =>
  Math.min(...arrivals.flatMap(({ acknowledgedSequence }) => acknowledgedSequence ?? []));

/** First arrivals that began before the first acknowledgement of the payment's previous status. */
const tooEarly = (
  keys: readonly string[],
  arrivalsOf: ReadonlyMap<string, readonly Arrival[]>,
): readonly string[] =>
  keys.filter((key, index) => {
    const before = keys[index - 1];
    const firstBegan = arrivalsOf.get(key)?.[0]?.beganSequence;
    if (before === undefined || firstBegan === undefined) return false;
    return firstBegan < acknowledgedFirst(arrivalsOf.get(before) ?? []);
  });

const duplicatesIn = (arrivals: readonly Arrival[]): number =>
  arrivals.filter(({ beganSequence }) => beganSequence > acknowledgedFirst(arrivals)).length;

const TIME_FAULTS: ReadonlySet<string> = new Set(['timestamp_too_old', 'timestamp_ahead']);

const isOfWrongClock = ({ signature, beganAtMs }: Arrival, evidence: Evidence): boolean =>
  TIME_FAULTS.has(signature) && signsWrongTimeAt(beganAtMs, evidence);

function bytesFault(event: AcceptedEvent, evidence: Evidence): string | undefined {
  const { notificationId, sent } = event;
  const arrived = evidence.bodies.get(notificationId) ?? new Set();
  const stored = evidence.history.bodies.get(notificationId);
  if (stored === undefined) return `${notificationId} is not in PostgreSQL`;
  if (arrived.size > 1) return `${notificationId} arrived with different bytes`;
  if (arrived.size === 1 && !arrived.has(stored))
    return `${notificationId} arrived with other bytes than PostgreSQL stores`;
  const envelope: unknown = JSON.parse(stored);
  const { eventType, eventDateTime, data } = sent;
  return isDeepStrictEqual(envelope, { notificationId, eventType, eventDateTime, data })
    ? undefined
    : `${notificationId} differs from what the producer posted`;
}
