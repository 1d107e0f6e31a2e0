import type { EventType } from '#libs/contracts';
import { partiesOf, type RoutableConsumer, type RoutingEntry, type RoutingTable } from './routing-table.js';

/** An event and its payment, as far as routing needs them. */
export interface RoutedEvent {
  readonly eventType: EventType;
  /** The company ids in the event. */
  readonly companyIds: readonly string[];
  /** Recipients of the same producer's earlier events of the payment. */
  readonly earlierConsumerIds: readonly string[];
  /** The company ids in those events. */
  readonly earlierCompanyIds: readonly string[];
  /** The request's `consumers` (ids or `externalId`s), or undefined without them. */
  readonly named: readonly string[] | undefined;
}

export interface RoutingFault {
  /** `consumers[i]`. */
  readonly field: string;
  readonly message: string;
}

export type Routed =
  | { readonly ok: true; readonly consumerIds: string[] }
  | { readonly ok: false; readonly faults: RoutingFault[] };

/**
 * Returns the recipients of an event. A consumer never gets another company's payment.
 *
 * Without `named`: every consumer of the event type that has all payments, or one of the event's companies as a party. An
 * event without companies goes to the recipients of the payment's earlier events that would still get them, since an
 * operator can have corrected a consumer's parties.
 *
 * `named` restricts the recipients to these consumers, each of which is checked. A consumer with neither parties of
 * that kind nor all payments gets a payment only after it was named for it. An empty list has no recipients.
 *
 * @returns distinct ids in the table's order (none: the event is unrouted), or a fault for every refused name.
 */
export function route(table: RoutingTable, event: RoutedEvent): Routed {
  if (event.named !== undefined) {
    return routeNamed(table, event.named, (consumer) => refusalOf(consumer, event));
  }
  const entries = new Set(table.withAllPayments(event.eventType));
  if (event.companyIds.length > 0) {
    for (const companyId of event.companyIds) {
      for (const entry of table.byCompany(event.eventType, companyId)) entries.add(entry);
    }
  } else {
    for (const id of event.earlierConsumerIds) {
      const entry = table.byId(id);
      if (entry !== undefined && keepsPayment(entry.consumer, event)) entries.add(entry);
    }
  }
  return { ok: true, consumerIds: inOrder(entries) };
}

/**
 * Checks the consumers to which a person sends an accepted event. The rule is stricter than for a producer, who knows
 * the payment: a consumer needs the event type, and all payments, a party among the payment's companies, or (without
 * parties) the payment's earlier events. Any consumer of the event type can get an unrouted event without companies.
 *
 * @returns distinct ids in the table's order, or a fault for every refused name
 */
export function routeManually(
  table: RoutingTable,
  event: RoutedEvent & { readonly named: readonly string[]; readonly isUnrouted: boolean },
): Routed {
  return routeNamed(table, event.named, (consumer) => {
    if (!consumer.eventTypes.includes(event.eventType)) return `does not take ${event.eventType} events`;
    if (consumer.allPayments) return null;
    const companies = companiesOf(event);
    if (companies.length === 0 && event.isUnrouted) return null;
    const parties = partiesOf(consumer, event.eventType);
    if (overlap(parties, companies)) return null;
    if (parties.length === 0 && event.earlierConsumerIds.includes(consumer.id)) return null;
    return "has no party among this payment's companies";
  });
}

function routeNamed(
  table: RoutingTable,
  named: readonly string[],
  refusalFor: (consumer: RoutableConsumer) => string | null,
): Routed {
  const entries = new Set<RoutingEntry>();
  const faults: RoutingFault[] = [];
  for (const [index, name] of named.entries()) {
    const entry = table.byName(name);
    const refusal = entry === undefined ? 'is not a known consumer' : refusalFor(entry.consumer);
    if (refusal !== null) faults.push({ field: `consumers[${index}]`, message: refusal });
    else if (entry !== undefined) entries.add(entry);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, consumerIds: inOrder(entries) };
}

/** Why a named consumer must not get the event, or null. */
function refusalOf(consumer: RoutableConsumer, event: RoutedEvent): string | null {
  if (!consumer.eventTypes.includes(event.eventType)) return `does not take ${event.eventType} events`;
  if (consumer.allPayments) return null;
  const parties = partiesOf(consumer, event.eventType);
  if (parties.length === 0 || overlap(parties, companiesOf(event))) return null;
  return "has no party among this payment's companies";
}

/** Whether a recipient of the payment's earlier events still gets an event without companies. */
function keepsPayment(consumer: RoutableConsumer, event: RoutedEvent): boolean {
  if (!consumer.eventTypes.includes(event.eventType)) return false;
  const parties = partiesOf(consumer, event.eventType);
  // A consumer without parties was named by the producer before.
  return consumer.allPayments || parties.length === 0 || overlap(parties, event.earlierCompanyIds);
}

/** The event's companies, or else the payment's. */
function companiesOf(event: RoutedEvent): readonly string[] {
  return event.companyIds.length > 0 ? event.companyIds : event.earlierCompanyIds;
}

function overlap(parties: readonly string[], companyIds: readonly string[]): boolean {
  return companyIds.some((companyId) => parties.includes(companyId));
}

function inOrder(entries: ReadonlySet<RoutingEntry>): string[] {
  return [...entries].toSorted((a, b) => a.place - b.place).map((entry) => entry.consumer.id);
}
