import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { EVENT_TYPES } from '#libs/contracts';
import { createRoutingTable, type RoutableConsumer } from './routing-table.js';
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

/** The rules of the HTTP interface, one consumer at a time, without any index. */
function mayReceive(consumer: RoutableConsumer, event: RoutedEvent, isNamed: boolean): boolean {
  const parties = event.eventType === 'ach.status' ? consumer.achCompanyIds : consumer.wireCompanyIds;
  const matches = (ids: readonly string[]) => parties.filter((party) => ids.includes(party)).length > 0;
  if (!consumer.eventTypes.includes(event.eventType)) return false;
  if (consumer.allPayments) return true;
  if (event.companyIds.length > 0) return matches(event.companyIds) || (isNamed && parties.length === 0);
  if (isNamed) return parties.length === 0 || matches(event.earlierCompanyIds);
  return (
    event.earlierConsumerIds.includes(consumer.id) &&
    (parties.length === 0 || matches(event.earlierCompanyIds))
  );
}

const goesBy = (consumer: RoutableConsumer, name: string) =>
  name === consumer.id || name === consumer.externalId;

const idsOf = (consumers: readonly RoutableConsumer[]) => consumers.map((consumer) => consumer.id);

/** The ids expected, or the fields at fault. */
function expected(live: readonly RoutableConsumer[], event: RoutedEvent): readonly string[] {
  const { named } = event;
  if (named === undefined) return idsOf(live.filter((consumer) => mayReceive(consumer, event, false)));
  const faults = named.flatMap((name, index) =>
    live.some((consumer) => goesBy(consumer, name) && mayReceive(consumer, event, true))
      ? []
      : [`consumers[${index}]`],
  );
  if (faults.length > 0) return faults;
  return idsOf(live.filter((consumer) => named.some((name) => goesBy(consumer, name))));
}

const summary = (routed: Routed) =>
  routed.ok ? routed.consumerIds : routed.faults.map((fault) => fault.field);

describe('route, compared with a brute-force implementation', () => {
  it('sends every payment to its owners only', () => {
    fc.assert(
      fc.property(tables, events, (live, event) => {
        expect(summary(route(createRoutingTable(live), event))).toEqual(expected(live, event));
      }),
      { numRuns: 5_000 },
    );
  });

  it('adds no recipients by names, except consumers with the company or without parties', () => {
    fc.assert(
      fc.property(tables, events, (live, event) => {
        const table = createRoutingTable(live);
        const open = route(table, { ...event, named: undefined });
        const narrowed = route(table, event);
        if (!open.ok || !narrowed.ok || event.named === undefined) return;
        const added = narrowed.consumerIds.filter((id) => !open.consumerIds.includes(id));
        for (const consumer of live.filter((each) => added.includes(each.id))) {
          const parties = event.eventType === 'ach.status' ? consumer.achCompanyIds : consumer.wireCompanyIds;
          const theirs = [...event.companyIds, ...event.earlierCompanyIds];
          expect(parties.length === 0 || parties.some((party) => theirs.includes(party))).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
