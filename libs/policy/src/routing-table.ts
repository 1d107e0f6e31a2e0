import type { EventType } from '#libs/contracts';

/** The part of a live (active or paused) consumer that routing uses. */
export interface RoutableConsumer {
  readonly id: string;
  /** The operator's own name for the consumer; unique among live ones. */
  readonly externalId: string | null;
  readonly eventTypes: readonly EventType[];
  readonly achCompanyIds: readonly string[];
  readonly wireCompanyIds: readonly string[];
  /** Gets every payment of its event types, with any parties. */
  readonly allPayments: boolean;
}

/** A consumer with its position in the table, which gives recipients a stable order. */
export interface RoutingEntry {
  readonly place: number;
  readonly consumer: RoutableConsumer;
}

/** Indexes of the live consumers: the cost of routing depends on the recipients, not on the number of consumers. */
export interface RoutingTable {
  /** Consumers that get all payments of this event type. */
  withAllPayments(eventType: EventType): readonly RoutingEntry[];
  /** Consumers of this event type with this company as a party; ids are compared exactly. */
  byCompany(eventType: EventType, companyId: string): readonly RoutingEntry[];
  byId(id: string): RoutingEntry | undefined;
  /** By id, or else by `externalId`. */
  byName(name: string): RoutingEntry | undefined;
}

const PARTIES = {
  'ach.status': 'achCompanyIds',
  'wire.status': 'wireCompanyIds',
} as const satisfies Record<EventType, keyof RoutableConsumer>;

/** The consumer's company ids of the event type's kind. */
export function partiesOf(consumer: RoutableConsumer, eventType: EventType): readonly string[] {
  return consumer[PARTIES[eventType]];
}

/** Indexes the live consumers; the table does not reflect later changes of the array. */
export function createRoutingTable(consumers: readonly RoutableConsumer[]): RoutingTable {
  const ids = new Map<string, RoutingEntry>();
  const externalIds = new Map<string, RoutingEntry>();
  const all = new Map<EventType, RoutingEntry[]>();
  const companies = {
    'ach.status': new Map<string, RoutingEntry[]>(),
    'wire.status': new Map<string, RoutingEntry[]>(),
  } satisfies Record<EventType, Map<string, RoutingEntry[]>>;

  for (const [place, consumer] of consumers.entries()) {
    const entry = { place, consumer };
    ids.set(consumer.id, entry);
    if (consumer.externalId !== null) externalIds.set(consumer.externalId, entry);
    for (const eventType of new Set(consumer.eventTypes)) {
      if (consumer.allPayments) append(all, eventType, entry);
      for (const companyId of new Set(partiesOf(consumer, eventType))) {
        append(companies[eventType], companyId, entry);
      }
    }
  }

  return {
    withAllPayments: (eventType) => all.get(eventType) ?? [],
    byCompany: (eventType, companyId) => companies[eventType].get(companyId) ?? [],
    byId: (id) => ids.get(id),
    byName: (name) => ids.get(name) ?? externalIds.get(name),
  };
}

function append<K>(index: Map<K, RoutingEntry[]>, key: K, entry: RoutingEntry): void {
  const entries = index.get(key);
  if (entries === undefined) index.set(key, [entry]);
  else entries.push(entry);
}
