import { describe, expect, it } from '@jest/globals';
import { RoutingTable, type RoutableConsumer } from './routing-table.js';
import { route, routeManually, type RoutedEvent } from './route.js';

const consumer = (id: string, over: Partial<RoutableConsumer> = {}): RoutableConsumer => ({
  id,
  externalId: `ext-${id}`,
  eventTypes: ['ach.status', 'wire.status'],
  achCompanyIds: [],
  wireCompanyIds: [],
  allPayments: false,
  ...over,
});

const acme = consumer('acme', { achCompanyIds: ['A1', 'A2'], wireCompanyIds: ['W1'] });
const bolt = consumer('bolt', { achCompanyIds: ['A2', 'B1'] });
const audit = consumer('audit', { allPayments: true });
const wiresOnly = consumer('wires', {
  eventTypes: ['wire.status'],
  achCompanyIds: ['A1'],
  wireCompanyIds: ['W1'],
});
const bare = consumer('bare');
const table = new RoutingTable([acme, bolt, audit, wiresOnly, bare]);

const ach = (over: Partial<RoutedEvent> = {}): RoutedEvent => ({
  eventType: 'ach.status',
  companyIds: [],
  earlierConsumerIds: [],
  earlierCompanyIds: [],
  named: undefined,
  ...over,
});
const toAll = (...consumerIds: string[]) => ({ ok: true, consumerIds });

describe('route by parties', () => {
  it('sends an event to consumers with its company and consumers of all payments', () => {
    expect(route(table, ach({ companyIds: ['A1'] }))).toEqual(toAll('acme', 'audit'));
    expect(route(table, ach({ companyIds: ['B1', 'A1', 'A2'] }))).toEqual(toAll('acme', 'bolt', 'audit'));
  });

  it('keeps ACH and wire companies separate, also with equal ids', () => {
    expect(route(table, ach({ companyIds: ['W1'] }))).toEqual(toAll('audit'));
    expect(route(table, { ...ach({ companyIds: ['W1'] }), eventType: 'wire.status' })).toEqual(
      toAll('acme', 'audit', 'wires'),
    );
  });

  it('compares the company ids of an event exactly', () => {
    for (const companyId of ['a1', ' A1', 'A1 ', '', '__proto__']) {
      expect(route(table, ach({ companyIds: [companyId] }))).toEqual(toAll('audit'));
    }
  });

  it('leaves an event without a matching consumer unrouted', () => {
    expect(route(new RoutingTable([acme]), ach({ companyIds: ['Z9'] }))).toEqual(toAll());
    expect(route(new RoutingTable([acme]), ach())).toEqual(toAll());
  });
});

describe('route of an event without a company', () => {
  const earlier = { earlierConsumerIds: ['bolt', 'acme', 'bare', 'gone'], earlierCompanyIds: ['A2'] };

  it("sends an event without a company to the recipients of the payment's earlier events", () => {
    expect(route(table, ach(earlier))).toEqual(toAll('acme', 'bolt', 'audit', 'bare'));
  });

  it('excludes a recipient of earlier events whose parties were corrected', () => {
    const corrected = new RoutingTable([{ ...acme, achCompanyIds: ['A1'] }, bolt]);
    expect(route(corrected, ach(earlier))).toEqual(toAll('bolt'));
  });

  it('excludes a recipient of earlier events that no longer has the event type', () => {
    const changed = new RoutingTable([{ ...acme, eventTypes: ['wire.status'] }, bolt]);
    expect(route(changed, ach(earlier))).toEqual(toAll('bolt'));
  });

  it('excludes consumers with the payment’s company that did not receive its earlier events', () => {
    expect(route(table, ach({ ...earlier, earlierConsumerIds: ['bolt'] }))).toEqual(toAll('bolt', 'audit'));
  });
});

describe('route to named consumers', () => {
  it('sends an event only to the named consumers, by id or externalId, each once', () => {
    const named = ['ext-acme', 'acme', 'acme'];
    expect(route(table, ach({ companyIds: ['A2'], named }))).toEqual(toAll('acme'));
    expect(route(table, ach({ companyIds: ['A2'], named: [] }))).toEqual(toAll());
  });

  it('sends an event to a consumer without parties only when it is named', () => {
    expect(route(table, ach({ companyIds: ['A1'], named: ['bare', 'ext-audit'] }))).toEqual(
      toAll('audit', 'bare'),
    );
    expect(route(table, { ...ach({ named: ['bolt'] }), eventType: 'wire.status' })).toEqual(toAll('bolt'));
  });

  it('reports every refused name of a consumer with its position and reason', () => {
    const named = ['nope', 'acme', 'wires', 'bolt', 'ext-nope'];
    expect(route(table, ach({ companyIds: ['A1'], named }))).toEqual({
      ok: false,
      faults: [
        { field: 'consumers[0]', message: 'is not a known consumer' },
        { field: 'consumers[2]', message: 'does not take ach.status events' },
        { field: 'consumers[3]', message: "has no party among this payment's companies" },
        { field: 'consumers[4]', message: 'is not a known consumer' },
      ],
    });
  });

  it("checks the names of an event without a company by the payment's companies", () => {
    expect(route(table, ach({ earlierCompanyIds: ['A1'], named: ['acme'] }))).toEqual(toAll('acme'));
    expect(route(table, ach({ earlierCompanyIds: ['B1'], named: ['acme'] })).ok).toBe(false);
    expect(route(table, ach({ named: ['acme'] })).ok).toBe(false);
  });

  it("prefers a consumer's id to another consumer's equal externalId", () => {
    const impostor = consumer('impostor', { externalId: 'acme', allPayments: true });
    const both = new RoutingTable([impostor, acme]);
    expect(route(both, ach({ companyIds: ['A1'], named: ['acme'] }))).toEqual(toAll('acme'));
  });
});

describe('routeManually', () => {
  const manually = (over: Partial<RoutedEvent>, named: string[], isUnrouted = true) =>
    routeManually(table, { ...ach(over), named, isUnrouted });
  const refused = (message: string) => ({ ok: false, faults: [{ field: 'consumers[0]', message }] });
  const otherCompany = refused("has no party among this payment's companies");

  it('manual sending accepts consumers of the event type with the payment’s company or all payments', () => {
    expect(manually({ companyIds: ['A1'] }, ['ext-acme', 'audit'])).toEqual(toAll('acme', 'audit'));
    expect(manually({ earlierCompanyIds: ['B1'] }, ['bolt'])).toEqual(toAll('bolt'));
    expect(manually({ companyIds: ['A1'] }, ['wires'])).toEqual(refused('does not take ach.status events'));
    expect(manually({}, ['nope'])).toEqual(refused('is not a known consumer'));
  });

  it('manual sending refuses another company’s payment, also for a consumer without parties', () => {
    for (const over of [{ companyIds: ['A1'] }, { earlierCompanyIds: ['A1'] }]) {
      expect(manually(over, ['bolt'])).toEqual(otherCompany);
      expect(manually(over, ['bare'])).toEqual(otherCompany);
      expect(manually({ ...over, earlierConsumerIds: ['bare'] }, ['bare'])).toEqual(toAll('bare'));
      expect(manually({ ...over, earlierConsumerIds: ['bolt'] }, ['bolt'])).toEqual(otherCompany);
    }
  });

  it('manual sending accepts any consumer for an unrouted event without a company', () => {
    expect(manually({}, ['bolt', 'bare'])).toEqual(toAll('bolt', 'bare'));
    expect(manually({}, ['bolt'], false)).toEqual(otherCompany);
  });
});
