import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { EVENT_TYPES } from '#libs/contracts';
import { RoutingTable, type RoutableConsumer } from './routing-table.js';
import { route, type Routed, type RoutedEvent } from './route.js';

const IDS = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
const companies = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5'), { maxLength: 3 });

const tables: fc.Arbitrary<RoutableConsumer[]> = fc.subarray(IDS).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc.record({
        id: fc.constant(id),
        externalId: fc.constantFrom(null, `x-${id}`),
        eventTypes: fc.subarray([...EVENT_TYPES]),
        achCompanyIds: companies,
        wireCompanyIds: companies,
        allPayments: fc.boolean(),
      }),
    ),
  ),
);

const events: fc.Arbitrary<RoutedEvent> = fc.record({
  eventType: fc.constantFrom(...EVENT_TYPES),
  companyIds: companies,
  earlierConsumerIds: fc.subarray(IDS),
  earlierCompanyIds: companies,
  named: fc.option(
    fc.array(fc.constantFrom(...IDS, ...IDS.map((id) => `x-${id}`), 'x-unknown'), { maxLength: 4 }),
    {
      nil: undefined,
    },
  ),
});

/** The routing rules of the contract for one consumer, without an index. */
function mayReceive(consumer: RoutableConsumer, event: RoutedEvent, byName: boolean): boolean {
  const parties = event.eventType === 'ach.status' ? consumer.achCompanyIds : consumer.wireCompanyIds;
  const matches = (ids: readonly string[]) => parties.filter((party) => ids.includes(party)).length > 0;
  if (!consumer.eventTypes.includes(event.eventType)) return false;
  if (consumer.allPayments) return true;
  if (event.companyIds.length > 0) return matches(event.companyIds) || (byName && parties.length === 0);
  if (byName) return parties.length === 0 || matches(event.earlierCompanyIds);
  return (
    event.earlierConsumerIds.includes(consumer.id) &&
    (parties.length === 0 || matches(event.earlierCompanyIds))
  );
}

const isNamed = (consumer: RoutableConsumer, name: string) =>
  name === consumer.id || name === consumer.externalId;

const idsOf = (consumers: readonly RoutableConsumer[]) => consumers.map((consumer) => consumer.id);

/** The ids of the expected recipients, or the invalid fields. */
function expected(live: readonly RoutableConsumer[], event: RoutedEvent): readonly string[] {
  const { named } = event;
  if (named === undefined) return idsOf(live.filter((consumer) => mayReceive(consumer, event, false)));
  const faults = named.flatMap((name, index) =>
    live.some((consumer) => isNamed(consumer, name) && mayReceive(consumer, event, true))
      ? []
      : [`consumers[${index}]`],
  );
  if (faults.length > 0) return faults;
  return idsOf(live.filter((consumer) => named.some((name) => isNamed(consumer, name))));
}

const summary = (routed: Routed) =>
  routed.ok ? routed.consumerIds : routed.faults.map((fault) => fault.field);

describe('route', () => {
  it('routes every event like a brute-force implementation of the rules', () => {
    fc.assert(
      fc.property(tables, events, (live, event) => {
        expect(summary(route(new RoutingTable(live), event))).toEqual(expected(live, event));
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

  it('an external id that passes from one consumer to another names the other one', () => {
    const [one, other] = IDS.slice(0, 2).map((id) => ({
      id,
      externalId: 'x',
      eventTypes: [...EVENT_TYPES],
      achCompanyIds: [],
      wireCompanyIds: [],
      allPayments: true,
    }));
    if (one === undefined || other === undefined) throw new Error('there are several ids');
    const table = new RoutingTable([one]);
    table.change(
      new Map<string, RoutableConsumer>([
        [other.id, other],
        [one.id, { ...one, externalId: null }],
      ]),
    );
    expect(table.byName('x')?.consumer.id).toBe(other.id);
  });

  it('naming consumers adds no recipients except consumers with the company or without parties', () => {
    fc.assert(
      fc.property(tables, events, (live, event) => {
        const table = new RoutingTable(live);
        const unnamed = route(table, { ...event, named: undefined });
        const withNames = route(table, event);
        if (!unnamed.ok || !withNames.ok || event.named === undefined) return;
        const added = withNames.consumerIds.filter((id) => !unnamed.consumerIds.includes(id));
        for (const consumer of live.filter((each) => added.includes(each.id))) {
          const parties = event.eventType === 'ach.status' ? consumer.achCompanyIds : consumer.wireCompanyIds;
          const companyIds = [...event.companyIds, ...event.earlierCompanyIds];
          expect(parties.length === 0 || parties.some((party) => companyIds.includes(party))).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
