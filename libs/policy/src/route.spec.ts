import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { EVENT_TYPES } from '#libs/contracts';
import { RoutingTable, type RoutableConsumer } from './routing-table.js';
import { route, routeManually, type Routed, type RoutedEvent } from './route.js';

const IDS = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
/** ACH and wire companies have the same ids; some differ only in case, space, or as names of a prototype. */
const companies = fc.uniqueArray(fc.constantFrom('1', 'a', 'A', ' a', '', '__proto__'), { maxLength: 3 });
/** The external id of a consumer may be the id of another one. */
const externalIds = fc.uniqueArray(fc.constantFrom(...IDS, ...IDS.map((id) => `x-${id}`)), {
  minLength: IDS.length,
  maxLength: IDS.length,
});

const tables: fc.Arbitrary<RoutableConsumer[]> = fc
  .tuple(fc.subarray(IDS), externalIds)
  .chain(([ids, names]) =>
    fc.tuple(
      ...ids.map((id, index) =>
        fc.record({
          id: fc.constant(id),
          externalId: fc.constantFrom(null, names[index] ?? null),
          eventTypes: fc.subarray([...EVENT_TYPES]),
          achCompanyIds: companies,
          wireCompanyIds: companies,
          allPayments: fc.boolean(),
        }),
      ),
    ),
  );

const names = fc.array(fc.constantFrom(...IDS, ...IDS.map((id) => `x-${id}`), 'x-unknown'), { maxLength: 4 });
const events: fc.Arbitrary<RoutedEvent> = fc.record({
  eventType: fc.constantFrom(...EVENT_TYPES),
  companyIds: companies,
  earlierConsumerIds: fc.subarray([...IDS, 'gone']),
  earlierCompanyIds: companies,
  named: fc.option(names, { nil: undefined }),
});

const partiesOf = (consumer: RoutableConsumer, event: RoutedEvent): readonly string[] =>
  event.eventType === 'ach.status' ? consumer.achCompanyIds : consumer.wireCompanyIds;
const overlap = (one: readonly string[], other: readonly string[]): boolean =>
  one.some((id) => other.includes(id));
const companiesOf = ({ companyIds, earlierCompanyIds }: RoutedEvent): readonly string[] =>
  companyIds.length > 0 ? companyIds : earlierCompanyIds;

/** Why a consumer that is named must not get an event; null: it may. */
type Rule = (consumer: RoutableConsumer, event: RoutedEvent) => string | null;
const NO_PARTY = "has no party among this payment's companies";
const ofType =
  (allows: (consumer: RoutableConsumer, event: RoutedEvent) => boolean): Rule =>
  (consumer, event) => {
    if (!consumer.eventTypes.includes(event.eventType)) return `does not take ${event.eventType} events`;
    return consumer.allPayments || allows(consumer, event) ? null : NO_PARTY;
  };
const unnamed = ofType((consumer, event) => {
  const parties = partiesOf(consumer, event);
  if (event.companyIds.length > 0) return overlap(parties, event.companyIds);
  const keeps = parties.length === 0 || overlap(parties, event.earlierCompanyIds);
  return event.earlierConsumerIds.includes(consumer.id) && keeps;
});
const named = ofType((consumer, event) => {
  const parties = partiesOf(consumer, event);
  return parties.length === 0 || overlap(parties, companiesOf(event));
});
const manual = (isUnrouted: boolean): Rule =>
  ofType((consumer, event) => {
    const parties = partiesOf(consumer, event);
    const hadEarlier = parties.length === 0 && event.earlierConsumerIds.includes(consumer.id);
    const isOpen = isUnrouted && companiesOf(event).length === 0;
    return isOpen || hadEarlier || overlap(parties, companiesOf(event));
  });

const idsOf = (consumers: readonly RoutableConsumer[]): string[] => consumers.map(({ id }) => id);

/** The recipients of an event by the rules, without an index. */
function expected(live: readonly RoutableConsumer[], event: RoutedEvent, rule: Rule): Routed {
  if (event.named === undefined)
    return { ok: true, consumerIds: idsOf(live.filter((consumer) => unnamed(consumer, event) === null)) };
  const found = event.named.map(
    (name) => live.find(({ id }) => id === name) ?? live.find(({ externalId }) => externalId === name),
  );
  const faults = found.flatMap((consumer, index) => {
    const message = consumer === undefined ? 'is not a known consumer' : rule(consumer, event);
    return message === null ? [] : [{ field: `consumers[${index}]`, message }];
  });
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, consumerIds: idsOf(live.filter((consumer) => found.includes(consumer))) };
}

describe('route', () => {
  it('routes every event by its companies, its payment’s past or the named consumers, as the rules say', () => {
    fc.assert(
      fc.property(tables, events, (live, event) => {
        expect(route(new RoutingTable(live), event)).toEqual(expected(live, event, named));
      }),
      { numRuns: 5_000 },
    );
  });

  it('routes what a person sends by a stricter rule: another company’s payment is refused', () => {
    fc.assert(
      fc.property(tables, events, names, fc.boolean(), (live, given, by, isUnrouted) => {
        const event = { ...given, named: by };
        const routed = routeManually(new RoutingTable(live), { ...event, isUnrouted });
        expect(routed).toEqual(expected(live, event, manual(isUnrouted)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('routes by a table that was changed like by a new table', () => {
    fc.assert(
      fc.property(tables, tables, events, (before, after, event) => {
        const table = new RoutingTable(before);
        table.change(
          new Map([...IDS].map((id) => [id, after.find((consumer) => consumer.id === id) ?? null])),
        );
        const [changed, made] = [table, new RoutingTable(after)].map((each) => {
          const routed = route(each, event);
          // A consumer that is changed keeps its place in the order.
          return routed.ok ? routed.consumerIds.toSorted() : routed;
        });
        expect(changed).toEqual(made);
      }),
      { numRuns: 2_000 },
    );
  });
});
