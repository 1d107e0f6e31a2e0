import { isDeepStrictEqual } from 'node:util';
import { deliveryKey, type Arrival, type AcceptedEvent } from '#test/chaos/observations';
import { isOfWrongClock, type WrongClock } from '#test/chaos/wrong-clocks';

export interface Evidence {
  readonly accepted: readonly AcceptedEvent[];
  /** In the order of their start. */
  readonly arrivals: readonly Arrival[];
  /** All distinct bodies that arrived, by notification and hash. */
  readonly bodies: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** `events.body`. */
  readonly storedBodies: ReadonlyMap<string, string>;
  /** Keys of dead and cancelled deliveries, which leave a gap in the order of their payment. */
  readonly excluded: ReadonlySet<string>;
  /** What a worker signs with a wrong clock is refused by consumers, and no violation. */
  readonly wrongClocks?: readonly WrongClock[];
}

/** The comparison of the accepted events with the arrivals. */
export interface Verdict {
  readonly expectedDeliveries: number;
  /** Deliveries that the consumer never acknowledged. */
  readonly lost: readonly string[];
  /** Deliveries whose first POST began before the previous status of the payment was acknowledged. */
  readonly outOfOrder: readonly string[];
  /** POSTs to a consumer that should not receive the event. */
  readonly foreign: readonly string[];
  readonly badSignatures: readonly string[];
  /** Notifications whose body differs between arrivals, from PostgreSQL's, or in content from the posted change. */
  readonly differentBytes: readonly string[];
  /** Arrivals of notifications that the consumer had acknowledged before. */
  readonly duplicates: readonly Duplicate[];
}

export interface Duplicate {
  readonly arrival: Arrival;
  /** The arrival that the consumer had acknowledged. */
  readonly acknowledged: Arrival;
  readonly acknowledgedAtMs: number;
}

/** Compares the accepted events with the arrivals. Pure. */
export function judge(evidence: Evidence): Verdict {
  const { accepted, arrivals } = evidence;
  const ofDelivery = Map.groupBy(arrivals, (a) => deliveryKey(a.notificationId, a.consumer));
  const deliveries = accepted.flatMap((event) =>
    event.consumers.map((consumer) => ({
      event,
      consumer,
      key: deliveryKey(event.notificationId, consumer),
    })),
  );
  const expectedKeys = new Set(deliveries.map(({ key }) => key));
  const isAcknowledged = (arrival: Arrival): boolean => arrival.acknowledgedSequence !== null;
  return {
    expectedDeliveries: deliveries.length,
    lost: deliveries
      .filter(({ key }) => ofDelivery.get(key)?.some(isAcknowledged) !== true)
      .map((d) => d.key),
    outOfOrder: [
      ...Map.groupBy(deliveries, ({ event, consumer }) => `${consumer} ${event.payment}`).values(),
    ].flatMap((statuses) =>
      tooEarly(
        statuses
          .toSorted((a, b) => a.event.position - b.event.position)
          .map(({ key }) => key)
          .filter((key) => !evidence.excluded.has(key)),
        ofDelivery,
      ),
    ),
    foreign: arrivals
      .map((a) => deliveryKey(a.notificationId, a.consumer))
      .filter((key) => !expectedKeys.has(key)),
    badSignatures: arrivals
      .filter((a) => a.signature !== 'verified' && !isOfWrongClock(a, evidence.wrongClocks ?? []))
      .map((a) => `${deliveryKey(a.notificationId, a.consumer)} ${a.signature}`),
    differentBytes: accepted.flatMap((event) => bytesFault(event, evidence) ?? []),
    duplicates: [...ofDelivery.values()].flatMap(duplicatesIn),
  };
}

/** First arrivals that began before the first acknowledgement of the payment's previous status. */
function tooEarly(keys: readonly string[], ofDelivery: ReadonlyMap<string, readonly Arrival[]>): string[] {
  return keys.filter((key, position) => {
    const before = keys[position - 1];
    const firstBegan = ofDelivery.get(key)?.[0]?.beganSequence;
    if (before === undefined || firstBegan === undefined) return false;
    const sequence = (ofDelivery.get(before) ?? []).flatMap((a) => a.acknowledgedSequence ?? []);
    return firstBegan < Math.min(...sequence);
  });
}

function bytesFault(event: AcceptedEvent, evidence: Evidence): string | undefined {
  const { notificationId, sent } = event;
  const arrived = evidence.bodies.get(notificationId);
  const stored = evidence.storedBodies.get(notificationId);
  if (stored === undefined) return `${notificationId} is not in PostgreSQL`;
  if (arrived !== undefined && arrived.size > 1) return `${notificationId} arrived with different bytes`;
  for (const body of arrived?.values() ?? []) {
    if (body !== stored) return `${notificationId} arrived with other bytes than PostgreSQL stores`;
  }
  const envelope: unknown = JSON.parse(stored);
  const { eventType, eventDateTime, data } = sent;
  return isDeepStrictEqual(envelope, { notificationId, eventType, eventDateTime, data })
    ? undefined
    : `${notificationId} differs from what the producer posted`;
}

function duplicatesIn(arrivals: readonly Arrival[]): Duplicate[] {
  let first: Arrival | undefined;
  return arrivals.flatMap((arrival) => {
    const known = first;
    const isRepeat =
      known?.acknowledgedSequence != null && known.acknowledgedSequence < arrival.beganSequence;
    if (arrival.acknowledgedSequence !== null) {
      if (first?.acknowledgedSequence == null || arrival.acknowledgedSequence < first.acknowledgedSequence)
        first = arrival;
    }
    return isRepeat && known?.acknowledgedAtMs != null
      ? [{ arrival, acknowledged: known, acknowledgedAtMs: known.acknowledgedAtMs }]
      : [];
  });
}
