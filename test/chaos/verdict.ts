import { isDeepStrictEqual } from 'node:util';
import { deliveryKey, type Arrival, type PromisedEvent } from '#test/chaos/observations';

export interface Evidence {
  readonly promised: readonly PromisedEvent[];
  /** In the order of their beginning. */
  readonly arrivals: readonly Arrival[];
  /** Every distinct body that arrived, by notification and hash. */
  readonly bodies: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** `events.body`. */
  readonly storedBodies: ReadonlyMap<string, string>;
  /** Keys of deliveries that died or were cancelled: they leave a gap in their payment. */
  readonly excepted: ReadonlySet<string>;
}

/** What was promised against what arrived; every list names the offenders. */
export interface Verdict {
  readonly promisedDeliveries: number;
  /** Deliveries that the consumer never acknowledged. */
  readonly lost: readonly string[];
  /** Deliveries whose first POST began before the one before it in the payment was acknowledged. */
  readonly outOfOrder: readonly string[];
  /** POSTs to a consumer that the event was not for. */
  readonly foreign: readonly string[];
  readonly badSignatures: readonly string[];
  /** Notifications whose bytes differ between arrivals, from PostgreSQL, or in content from what was sent. */
  readonly differentBytes: readonly string[];
  /** Arrivals of what the consumer had acknowledged before, each with that first acknowledgement. */
  readonly duplicates: readonly Duplicate[];
}

export interface Duplicate {
  readonly arrival: Arrival;
  /** The arrival that the consumer had acknowledged. */
  readonly acknowledged: Arrival;
  readonly acknowledgedAtMs: number;
}

/** Judges a run. Pure: the same evidence, the same verdict. */
export function judge(evidence: Evidence): Verdict {
  const { promised, arrivals } = evidence;
  const ofDelivery = Map.groupBy(arrivals, (a) => deliveryKey(a.notificationId, a.consumer));
  const deliveries = promised.flatMap((event) =>
    event.consumers.map((consumer) => ({
      event,
      consumer,
      key: deliveryKey(event.notificationId, consumer),
    })),
  );
  const promisedKeys = new Set(deliveries.map(({ key }) => key));
  const isAcknowledged = (arrival: Arrival): boolean => arrival.acknowledgedStep !== null;
  return {
    promisedDeliveries: deliveries.length,
    lost: deliveries
      .filter(({ key }) => ofDelivery.get(key)?.some(isAcknowledged) !== true)
      .map((d) => d.key),
    outOfOrder: [
      ...Map.groupBy(deliveries, ({ event, consumer }) => `${consumer} ${event.payment}`).values(),
    ].flatMap((statuses) =>
      tooEarly(
        statuses
          .toSorted((a, b) => a.event.place - b.event.place)
          .map(({ key }) => key)
          .filter((key) => !evidence.excepted.has(key)),
        ofDelivery,
      ),
    ),
    foreign: arrivals
      .map((a) => deliveryKey(a.notificationId, a.consumer))
      .filter((key) => !promisedKeys.has(key)),
    badSignatures: arrivals
      .filter((a) => a.signature !== 'verified')
      .map((a) => `${deliveryKey(a.notificationId, a.consumer)} ${a.signature}`),
    differentBytes: promised.flatMap((event) => bytesFault(event, evidence) ?? []),
    duplicates: [...ofDelivery.values()].flatMap(duplicatesIn),
  };
}

/** First arrivals in a payment that began before the first acknowledgement of the status before; never is later than all. */
function tooEarly(keys: readonly string[], ofDelivery: ReadonlyMap<string, readonly Arrival[]>): string[] {
  return keys.filter((key, place) => {
    const before = keys[place - 1];
    const firstBegan = ofDelivery.get(key)?.[0]?.beganStep;
    if (before === undefined || firstBegan === undefined) return false;
    const steps = (ofDelivery.get(before) ?? []).flatMap((a) => a.acknowledgedStep ?? []);
    return firstBegan < Math.min(...steps);
  });
}

function bytesFault(event: PromisedEvent, evidence: Evidence): string | undefined {
  const { notificationId, sent } = event;
  const arrived = evidence.bodies.get(notificationId);
  const stored = evidence.storedBodies.get(notificationId);
  if (stored === undefined) return `${notificationId} is not in PostgreSQL`;
  if (arrived !== undefined && arrived.size > 1) return `${notificationId} arrived with different bytes`;
  for (const body of arrived?.values() ?? []) {
    if (body !== stored) return `${notificationId} arrived with other bytes than PostgreSQL has`;
  }
  const envelope: unknown = JSON.parse(stored);
  const { eventType, eventDateTime, data } = sent;
  return isDeepStrictEqual(envelope, { notificationId, eventType, eventDateTime, data })
    ? undefined
    : `${notificationId} does not say what the producer sent`;
}

function duplicatesIn(arrivals: readonly Arrival[]): Duplicate[] {
  let first: Arrival | undefined;
  return arrivals.flatMap((arrival) => {
    const known = first;
    const isRepeat = known?.acknowledgedStep != null && known.acknowledgedStep < arrival.beganStep;
    if (arrival.acknowledgedStep !== null) {
      if (first?.acknowledgedStep == null || arrival.acknowledgedStep < first.acknowledgedStep)
        first = arrival;
    }
    return isRepeat && known?.acknowledgedAtMs != null
      ? [{ arrival, acknowledged: known, acknowledgedAtMs: known.acknowledgedAtMs }]
      : [];
  });
}
