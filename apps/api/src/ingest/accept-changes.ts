import type { FieldFault } from '#libs/contracts';
import type { AcceptOutcome, FirstRequest, NewEvent, PaymentPast } from '#libs/database';
import { newEvents } from './new-events.js';
import type { PreparedChange } from './prepared-change.js';
import type { Routing } from './routing-directory.js';

/** A payment as one producer names it. */
export type OwnPayment = Readonly<Pick<PreparedChange['envelope'], 'eventType'>> & {
  readonly paymentId: string;
  readonly producer: string;
};

/** Writes events with distinct idempotency keys, in their order, all or nothing. */
export interface EventWriter {
  /** One statement, committed when it answers `accepted`. */
  write(events: readonly NewEvent[], routingVersion: string): Promise<AcceptOutcome>;
  /**
   * One transaction, which locks the payment first, so that no other status of it is accepted in between.
   * @param eventsAfter the events to write, given what the producer's earlier statuses of the payment say
   */
  writeAfterPast(
    payment: OwnPayment,
    eventsAfter: (past: PaymentPast) => readonly NewEvent[],
    routingVersion: string,
  ): Promise<AcceptOutcome>;
}

/** An idempotency key of a producer, as it is stored. */
export type IdempotencyKey = Pick<PreparedChange, 'producer' | 'keyHash'>;

/** Finds the first requests with these keys; keys older than 7 days are freed, and keys without a request left out. */
export interface FirstRequests {
  firstRequests(keys: readonly IdempotencyKey[]): Promise<FirstRequest[]>;
}

/** The routing that is known now, and the one that the database has. */
export interface RoutingSource {
  current(): Promise<Routing>;
  refresh(): Promise<Routing>;
}

/** A delivery of an event, as the producer is answered with it. */
export interface Addressed {
  readonly deliveryId: string;
  readonly consumerId: string;
}

/** What became of one request. */
export type Acceptance =
  | {
      readonly kind: 'accepted';
      readonly notificationId: string;
      readonly duplicate: boolean;
      readonly deliveries: readonly Addressed[];
    }
  /** The idempotency key was used before, with other content. */
  | { readonly kind: 'conflict' }
  /** `consumers` names a consumer that must not get it. */
  | { readonly kind: 'refused'; readonly faults: readonly FieldFault[] }
  /** Nothing was written: every try lost against concurrent changes. The same request may succeed later. */
  | { readonly kind: 'busy' };

export interface AcceptedChanges {
  /** By notification id. */
  readonly acceptances: ReadonlyMap<string, Acceptance>;
  /** Consumers that need a job. */
  readonly enqueue: readonly string[];
}

/** A routing that changes on every try is the work of a faulty script; the producer gets 503 and sends again. */
const TRIES = 20;

/**
 * Whether only the payment's past decides where a change goes: a status without a company goes where its producer's
 * earlier statuses of the payment went.
 */
export const dependsOnPast = ({ envelope }: PreparedChange): boolean =>
  envelope.companyIds.length === 0 && envelope.paymentId !== null;

/**
 * Accepts changes with distinct idempotency keys, in their order. The usual case is one statement. Requests that are
 * repeated or refused are answered without it, and the others are tried again; so are all when the routing has changed.
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
    const { outcome, events, refusals } = await write(store, left, await routing.current());
    for (const [id, faults] of refusals) acceptances.set(id, { kind: 'refused', faults });
    switch (outcome.kind) {
      case 'accepted':
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

/** The changes whose key was used before, answered as the first request with it was, or as a conflict. */
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
    // It is its own first request when a batch that was committed in part is tried again.
    const duplicate = notificationId !== change.notificationId;
    return [[change.notificationId, { kind: 'accepted', notificationId, duplicate, deliveries }]];
  });
}
