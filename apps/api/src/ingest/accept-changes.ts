import type { FieldFault } from '#libs/contracts';
import type { AcceptOutcome, FirstRequest, NewEvent, PaymentPast } from '#libs/database';
import { newEvents } from './new-events.js';
import type { PreparedChange } from './prepared-change.js';
import type { Routing } from './routing-directory.js';

/** A payment, identified by its producer, kind and id. */
export type OwnPayment = Readonly<Pick<PreparedChange['envelope'], 'eventType'>> & {
  readonly paymentId: string;
  readonly producer: string;
};

/** Stores events with distinct idempotency keys, in their order: all of them or none. */
export interface EventWriter {
  /** Runs one statement, which is committed when it answers `accepted`. */
  write(events: readonly NewEvent[], routingVersion: string): Promise<AcceptOutcome>;
  /**
   * Runs a transaction that locks the payment first, so that no other status of it is accepted meanwhile.
   * @param eventsAfter returns the events to store, given the past of the producer's own statuses of the payment
   */
  writeAfterPast(
    payment: OwnPayment,
    eventsAfter: (past: PaymentPast) => readonly NewEvent[],
    routingVersion: string,
  ): Promise<AcceptOutcome>;
}

/** An idempotency key of a producer, as it is stored. */
export type IdempotencyKey = Pick<PreparedChange, 'producer' | 'keyHash'>;

/** Finds the first request with each of these keys. Deletes keys older than 7 days; omits unused keys. */
export interface FirstRequests {
  firstRequests(keys: readonly IdempotencyKey[]): Promise<FirstRequest[]>;
}

/** Provides the routing in memory (`current`), and reads the latest one from the database (`refresh`). */
export interface RoutingSource {
  current(): Promise<Routing>;
  /** Whether this version is the newest committed one. */
  isNewest(version: string): Promise<boolean>;
  refresh(): Promise<Routing>;
}

/** A delivery of an event, in the answer to the producer. */
export interface Addressed {
  readonly deliveryId: string;
  readonly consumerId: string;
}

/** Result of one request. */
export type Acceptance =
  | {
      readonly kind: 'accepted';
      readonly notificationId: string;
      readonly duplicate: boolean;
      readonly deliveries: readonly Addressed[];
    }
  /** The idempotency key was used before, with other content. */
  | { readonly kind: 'conflict' }
  /** `consumers` names a consumer that is unknown or must not get the event. */
  | { readonly kind: 'refused'; readonly faults: readonly FieldFault[] }
  /** Nothing was stored: every try conflicted with concurrent changes. The same request may succeed later. */
  | { readonly kind: 'busy' };

export interface AcceptedChanges {
  /** Results by notification id. */
  readonly acceptances: ReadonlyMap<string, Acceptance>;
  /** Consumers that need a job. */
  readonly enqueue: readonly string[];
}

/**
 * Maximum number of tries with the latest routing. Only a faulty script changes consumers during all of them; the
 * producer then gets 503 and repeats the request.
 */
const TRIES = 20;

/**
 * Whether the routing depends on the payment's past: a status without a company is routed to the consumers of its
 * producer's earlier statuses of the payment.
 */
export const dependsOnPast = ({ envelope }: PreparedChange): boolean =>
  envelope.companyIds.length === 0 && envelope.paymentId !== null;

/**
 * Accepts changes with distinct idempotency keys, in their order. The usual case is one statement. Repeated requests get
 * their result, and the statement is run again with the others. After a change of the routing it is run again with all
 * of them. A refusal is final for a producer, so it is given only by the newest routing: the statement that accepts
 * the other changes compares the version, and without other changes it is read.
 * @param changes a single one if it depends on the payment's past
 */
export async function acceptChanges(
  store: EventWriter & FirstRequests,
  routing: RoutingSource,
  changes: readonly PreparedChange[],
): Promise<AcceptedChanges> {
  const acceptances = new Map<string, Acceptance>();
  let left = changes;
  for (let tries = 1; left.length > 0 && tries <= TRIES; tries += 1) {
    const known = await routing.current();
    const { outcome, events, refusals } = await write(store, left, known);
    switch (outcome.kind) {
      case 'accepted':
        if (events.length === 0 && !(await routing.isNewest(known.version))) {
          await routing.refresh();
          break;
        }
        for (const [id, faults] of refusals) acceptances.set(id, { kind: 'refused', faults });
        for (const event of events) acceptances.set(event.id, acceptanceOf(event));
        return { acceptances, enqueue: outcome.enqueue };
      case 'stale_routing':
        await routing.refresh();
        break;
      case 'key_taken':
        for (const [id, acceptance] of repeatedIn(left, await store.firstRequests(left)))
          acceptances.set(id, acceptance);
        break;
    }
    left = left.filter(({ notificationId }) => !acceptances.has(notificationId));
  }
  for (const { notificationId } of left) acceptances.set(notificationId, { kind: 'busy' });
  return { acceptances, enqueue: [] };
}

type Written = ReturnType<typeof newEvents> & { readonly outcome: AcceptOutcome };

async function write(
  writer: EventWriter,
  changes: readonly PreparedChange[],
  routing: Routing,
): Promise<Written> {
  const [first] = changes;
  if (first === undefined || !dependsOnPast(first)) {
    const { events, refusals } = newEvents(changes, routing);
    const outcome: AcceptOutcome =
      events.length === 0 ? { kind: 'accepted', enqueue: [] } : await writer.write(events, routing.version);
    return { outcome, events, refusals };
  }
  const { producer, envelope } = first;
  const { eventType, paymentId } = envelope;
  if (paymentId === null) throw new Error('a change without a payment has no past');
  let routed: ReturnType<typeof newEvents> = { events: [], refusals: new Map() };
  const eventsAfter = (past: PaymentPast): NewEvent[] => {
    routed = newEvents([first], routing, past);
    return routed.events;
  };
  const outcome = await writer.writeAfterPast(
    { eventType, paymentId, producer },
    eventsAfter,
    routing.version,
  );
  return { outcome, ...routed };
}

const acceptanceOf = (event: NewEvent): Acceptance => ({
  kind: 'accepted',
  notificationId: event.id,
  duplicate: false,
  deliveries: event.deliveries.map(({ id, consumerId }) => ({ deliveryId: id, consumerId })),
});

/** Results of the changes whose key was used before: the answer of the first request with the key, or a conflict. */
function repeatedIn(
  changes: readonly PreparedChange[],
  first: readonly FirstRequest[],
): [string, Acceptance][] {
  return changes.flatMap((change): [string, Acceptance][] => {
    const found = first.find(
      ({ producer, keyHash }) => producer === change.producer && keyHash.equals(change.keyHash),
    );
    if (found === undefined) return [];
    if (!found.contentHash.equals(change.contentHash)) return [[change.notificationId, { kind: 'conflict' }]];
    const { notificationId, deliveries } = found;
    // If a batch was committed in part and is tried again, a change finds itself as the first request.
    const duplicate = notificationId !== change.notificationId;
    return [[change.notificationId, { kind: 'accepted', notificationId, duplicate, deliveries }]];
  });
}
