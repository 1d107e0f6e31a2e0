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

const PARTIES = {
  'ach.status': 'achCompanyIds',
  'wire.status': 'wireCompanyIds',
} as const satisfies Record<EventType, keyof RoutableConsumer>;

/** The consumer's company ids of the event type's kind. */
export function partiesOf(consumer: RoutableConsumer, eventType: EventType): readonly string[] {
  return consumer[PARTIES[eventType]];
}

/** Indexes of the live consumers: the cost of routing depends on the recipients, not on the number of consumers. */
export class RoutingTable {
  private readonly ids = new Map<string, RoutingEntry>();
  private readonly externalIds = new Map<string, RoutingEntry>();
  private readonly all = new Map<string, Set<RoutingEntry>>();
  private readonly companies = {
    'ach.status': new Map<string, Set<RoutingEntry>>(),
    'wire.status': new Map<string, Set<RoutingEntry>>(),
  } satisfies Record<EventType, Map<string, Set<RoutingEntry>>>;
  private places = 0;

  constructor(consumers: readonly RoutableConsumer[]) {
    this.change(new Map(consumers.map((consumer) => [consumer.id, consumer])));
  }

  /** Replaces consumers, by id, and adds new ones; null: removes the consumer. Costs as much as their companies. */
  change(changed: ReadonlyMap<string, RoutableConsumer | null>): void {
    const former = new Map([...changed.keys()].map((id) => [id, this.ids.get(id)]));
    // All former settings first: an external id may pass from one consumer to another.
    for (const entry of former.values()) {
      if (entry === undefined) continue;
      this.ids.delete(entry.consumer.id);
      if (entry.consumer.externalId !== null) this.externalIds.delete(entry.consumer.externalId);
      for (const [index, key] of this.listsOf(entry.consumer)) index.get(key)?.delete(entry);
    }
    for (const [id, consumer] of changed) {
      if (consumer === null) continue;
      const entry = { place: former.get(id)?.place ?? (this.places += 1), consumer };
      this.ids.set(id, entry);
      if (consumer.externalId !== null) this.externalIds.set(consumer.externalId, entry);
      for (const [index, key] of this.listsOf(consumer)) {
        const entries = index.get(key);
        if (entries === undefined) index.set(key, new Set([entry]));
        else entries.add(entry);
      }
    }
  }

  /** Consumers that get all payments of this event type. */
  withAllPayments(eventType: EventType): Iterable<RoutingEntry> {
    return this.all.get(eventType) ?? [];
  }

  /** Consumers of this event type with this company as a party; ids are compared exactly. */
  byCompany(eventType: EventType, companyId: string): Iterable<RoutingEntry> {
    return this.companies[eventType].get(companyId) ?? [];
  }

  byId(id: string): RoutingEntry | undefined {
    return this.ids.get(id);
  }

  /** By id, or else by `externalId`. */
  byName(name: string): RoutingEntry | undefined {
    return this.ids.get(name) ?? this.externalIds.get(name);
  }

  /** The lists that contain this consumer, each with its index. */
  private *listsOf(consumer: RoutableConsumer): Generator<[Map<string, Set<RoutingEntry>>, string]> {
    for (const eventType of consumer.eventTypes) {
      if (consumer.allPayments) yield [this.all, eventType];
      for (const companyId of partiesOf(consumer, eventType)) yield [this.companies[eventType], companyId];
    }
  }
}
