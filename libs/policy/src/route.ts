import type { EventType } from '#libs/contracts';
import { partiesOf, type RoutableConsumer, type RoutingEntry, type RoutingTable } from './routing-table.js';

/** What routing needs to know of an event and of its payment so far. */
export interface RoutedEvent {
  readonly eventType: EventType;
  /** The company ids that the event itself carries; empty when it carries none. */
  readonly companyIds: readonly string[];
  /** Whom the same producer’s earlier events of the payment went to. */
  readonly earlierConsumerIds: readonly string[];
  /** The company ids that the same producer’s earlier events of the payment carried. */
  readonly earlierCompanyIds: readonly string[];
  /** The request's `consumers` (ids or `externalId`s), or undefined when it names none. */
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
 * Which consumers an event goes to: nobody receives a payment that is not theirs.
 *
 * Without `named`: every consumer that takes the type and takes all payments or has one of the event's
 * companies among its parties. An event that carries no company goes where the payment's earlier events
 * went, but only to those that would still get it: what an operator has corrected since then holds.
 *
 * `named` narrows to the consumers named, each checked, and alone reaches a consumer without parties of
 * that kind. An empty list names nobody.
 *
 * @returns distinct ids in the table's order (none: the event is unrouted), or a fault for every name refused.
 */
export function route(table: RoutingTable, event: RoutedEvent): Routed {
  if (event.named !== undefined) {
    return routeNamed(table, event.named, (consumer) => refusalOf(consumer, event));
  }
  const entries = new Set(table.takingAll(event.eventType));
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
 * Whom a person may send an accepted event to, by name. More is asked than of a producer, who knows the payment: the
 * consumer takes the type and all payments, or is among the payment's companies; without parties it must have got the
 * payment's earlier events. Only where nothing says whose payment it is, and it went to nobody, does the person vouch.
 *
 * @returns distinct ids in the table's order, or a fault for every name refused
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

/** Why a consumer named in the request must not get the event, or null when it may. */
function refusalOf(consumer: RoutableConsumer, event: RoutedEvent): string | null {
  if (!consumer.eventTypes.includes(event.eventType)) return `does not take ${event.eventType} events`;
  if (consumer.allPayments) return null;
  const parties = partiesOf(consumer, event.eventType);
  if (parties.length === 0 || overlap(parties, companiesOf(event))) return null;
  return "has no party among this payment's companies";
}

/** Whether a consumer that got the payment's earlier events still gets one that carries no company. */
function keepsPayment(consumer: RoutableConsumer, event: RoutedEvent): boolean {
  if (!consumer.eventTypes.includes(event.eventType)) return false;
  const parties = partiesOf(consumer, event.eventType);
  // Without parties it was reached by being named; the producer has vouched for it then.
  return consumer.allPayments || parties.length === 0 || overlap(parties, event.earlierCompanyIds);
}

/** The companies that the event stands for: its own, or else the payment's. */
function companiesOf(event: RoutedEvent): readonly string[] {
  return event.companyIds.length > 0 ? event.companyIds : event.earlierCompanyIds;
}

function overlap(parties: readonly string[], companyIds: readonly string[]): boolean {
  return companyIds.some((companyId) => parties.includes(companyId));
}

function inOrder(entries: ReadonlySet<RoutingEntry>): string[] {
  return [...entries].toSorted((a, b) => a.place - b.place).map((entry) => entry.consumer.id);
}
