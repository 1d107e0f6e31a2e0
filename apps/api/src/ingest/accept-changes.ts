import type { FieldFault } from '#libs/contracts';
import {
  acceptEvents,
  firstRequests,
  freeLapsedKeys,
  lockOwnPast,
  type AcceptOutcome,
  type NewEvent,
  type Statements,
} from '#libs/database';
import { newEvents } from './new-events.js';
import type { PreparedChange } from './prepared-change.js';
import type { Routing, RoutingDirectory } from './routing-directory.js';

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
  /** `consumers` names somebody who must not get it. */
  | { readonly kind: 'refused'; readonly faults: readonly FieldFault[] }
  /** Nothing was written: every try lost against what happened at the same time. The same request may succeed later. */
  | { readonly kind: 'busy' };

export interface AcceptedChanges {
  /** By notification id. */
  readonly acceptances: ReadonlyMap<string, Acceptance>;
  /** Consumers that need a job. */
  readonly enqueue: readonly string[];
}

/** A routing that changes on every try comes from a faulty operator's script; the producer gets 503 and sends again. */
const TRIES = 20;

/**
 * Whether only the payment's past tells where a change goes: a status without a company goes where its producer's
 * earlier statuses of the payment went.
 */
export const dependsOnPast = ({ envelope }: PreparedChange): boolean =>
  envelope.companyIds.length === 0 && envelope.paymentId !== null;

/**
 * Accepts changes with distinct idempotency keys, in their order. The usual case is one statement; requests that are
 * repeated, refused, or were routed by consumers that have changed since are sorted out, and the others tried again.
 * @param changes one alone if it depends on the payment's past
 */
export async function acceptChanges(
  pipeline: Statements,
  routing: RoutingDirectory,
  changes: readonly PreparedChange[],
): Promise<AcceptedChanges> {
  const acceptances = new Map<string, Acceptance>();
  let left = changes;
  for (let tries = 1; left.length > 0 && tries <= TRIES; tries += 1) {
    const { outcome, events, refusals } = await write(pipeline, left, await routing.current());
    for (const [id, faults] of refusals) acceptances.set(id, { kind: 'refused', faults });
    switch (outcome.kind) {
      case 'accepted':
        for (const event of events) acceptances.set(event.id, acceptanceOf(event));
        return { acceptances, enqueue: outcome.enqueue };
      case 'stale_routing':
        await routing.refresh();
        break;
      case 'key_taken':
        await freeLapsedKeys(pipeline.db, left);
        for (const [id, acceptance] of await repeated(pipeline, left)) acceptances.set(id, acceptance);
        break;
    }
    left = left.filter(({ notificationId }) => !acceptances.has(notificationId));
  }
  for (const { notificationId } of left) acceptances.set(notificationId, { kind: 'busy' });
  return { acceptances, enqueue: [] };
}

interface Written {
  readonly outcome: AcceptOutcome;
  readonly events: readonly NewEvent[];
  readonly refusals: ReadonlyMap<string, readonly FieldFault[]>;
}

async function write(
  pipeline: Statements,
  changes: readonly PreparedChange[],
  routing: Routing,
): Promise<Written> {
  const [first] = changes;
  if (first !== undefined && dependsOnPast(first)) return writeWithPast(pipeline, first, routing);
  const { events, refusals } = newEvents(changes, routing);
  const outcome: AcceptOutcome =
    events.length === 0
      ? { kind: 'accepted', enqueue: [] }
      : await acceptEvents(pipeline, events, routing.version);
  return { outcome, events, refusals };
}

/** Undoes the transaction of a change that was not accepted: its payment's row may have been made for the lock alone. */
class NotAccepted extends Error {
  override readonly name = 'NotAccepted';
  constructor(readonly written: Written) {
    super('the change was not accepted');
  }
}

/** In a transaction that locks the payment first, so that no other status of it comes between. */
async function writeWithPast(
  pipeline: Statements,
  change: PreparedChange,
  routing: Routing,
): Promise<Written> {
  const { producer, envelope } = change;
  const { eventType, paymentId } = envelope;
  if (paymentId === null) throw new Error('a change without a payment has no past');
  try {
    return await pipeline.db.transaction().execute(async (trx) => {
      const past = await lockOwnPast(trx, { eventType, paymentId, producer });
      const { events, refusals } = newEvents([change], routing, past);
      if (events.length === 0)
        throw new NotAccepted({ outcome: { kind: 'accepted', enqueue: [] }, events, refusals });
      const outcome = await acceptEvents(trx, events, routing.version);
      if (outcome.kind !== 'accepted') throw new NotAccepted({ outcome, events, refusals });
      return { outcome, events, refusals };
    });
  } catch (error) {
    if (error instanceof NotAccepted) return error.written;
    throw error;
  }
}

const acceptanceOf = (event: NewEvent): Acceptance => ({
  kind: 'accepted',
  notificationId: event.id,
  duplicate: false,
  deliveries: event.deliveries.map(({ id, consumerId }) => ({ deliveryId: id, consumerId })),
});

/** Those whose key was used before, as the first request with it was answered, or as a conflict. */
async function repeated(
  pipeline: Statements,
  changes: readonly PreparedChange[],
): Promise<Map<string, Acceptance>> {
  const first = await firstRequests(pipeline.db, changes);
  return new Map(
    changes.flatMap((change): [string, Acceptance][] => {
      const found = first.find(
        ({ producer, keyHash }) => producer === change.producer && keyHash.equals(change.keyHash),
      );
      if (found === undefined) return [];
      if (!found.contentHash.equals(change.contentHash))
        return [[change.notificationId, { kind: 'conflict' }]];
      const { notificationId, deliveries } = found;
      // Its own key, when a batch that was committed in part is tried again.
      const duplicate = notificationId !== change.notificationId;
      return [[change.notificationId, { kind: 'accepted', notificationId, duplicate, deliveries }]];
    }),
  );
}
