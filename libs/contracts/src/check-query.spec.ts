import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkPlain } from './check-plain.js';
import { checkQuery } from './check-query.js';
import { DELIVERY_STATES, EVENT_TYPES, HOLD_REASONS, OUTCOMES } from './closed-lists.js';
import { DeliveryFilter } from './lists/delivery-filter.dto.js';
import { PageQueryDto } from './lists/page.dto.js';
import { Joining } from './rules/mapped.js';

class PageOfDeliveries extends Joining(PageQueryDto, DeliveryFilter) {}

const instant = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((at) => at.toISOString());
const text = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ minLength: 1, maxLength }).filter((any) => !any.includes('\0'));

/** Every valid filter as JSON. */
const filters = fc.record(
  {
    state: fc.constantFrom(...DELIVERY_STATES),
    delivered: fc.boolean(),
    missed: fc.constant(true),
    openOrDelivered: fc.constant(true),
    waiting: fc.constant(true),
    settled: fc.boolean(),
    status: text(64),
    consumerId: fc.uuid(),
    eventType: fc.constantFrom(...EVENT_TYPES),
    paymentId: text(255),
    notificationId: fc.uuid(),
    outcome: fc.constantFrom(...OUTCOMES),
    httpStatus: fc.integer({ min: 100, max: 599 }),
    holdReason: fc.constantFrom(...HOLD_REASONS),
    from: instant,
    to: instant,
  } satisfies Record<keyof DeliveryFilter, unknown>,
  { requiredKeys: [] },
);

const asText = (json: object): Record<string, string> =>
  Object.fromEntries(Object.entries(json).map(([name, value]) => [name, String(value)]));

it('a query and a JSON body with the same filter make the same typed filter, and its JSON is the body', () => {
  fc.assert(
    fc.property(filters, (json) => {
      const body = checkPlain(DeliveryFilter, json);
      expect(body.ok).toBe(true);
      expect(checkQuery(DeliveryFilter, asText(json))).toEqual(body);
      expect(JSON.parse(JSON.stringify(body.ok && body.value))).toEqual(json);
      expect(body.ok && body.value.from).toEqual(json.from === undefined ? undefined : new Date(json.from));
    }),
  );
});

it('a query accepts exactly the texts that mean a value that the JSON body accepts', () => {
  const fields = ['state', 'delivered', 'missed', 'consumerId', 'httpStatus', 'from'] as const;
  const texts = fc.oneof(filters.map(asText), fc.dictionary(fc.constantFrom(...fields), fc.string()));
  fc.assert(
    fc.property(texts, (query) => {
      const meant = (value: string): unknown =>
        value === 'true' || value === 'false'
          ? value === 'true'
          : /^\d+$/.test(value)
            ? Number(value)
            : value;
      const checked = checkQuery(DeliveryFilter, query);
      const each = Object.entries(query).filter(
        ([name, value]) =>
          !checkPlain(DeliveryFilter, { [name]: value }).ok &&
          !checkPlain(DeliveryFilter, { [name]: meant(value) }).ok,
      );
      expect(checked.ok ? [] : checked.faults.map(({ field }) => field).toSorted()).toEqual(
        each.map(([name]) => name).toSorted(),
      );
    }),
  );
});

it.each([
  ['delivered', ['1', '', 'TRUE', ['true', 'true']], 'must be one of true, false'],
  ['missed', ['false', '1'], 'must be one of true'],
  [
    'httpStatus',
    ['99', '600', '4e2', '', ['400', '400']],
    'must be a whole number from 100 to 599, given once',
  ],
  ['consumerId', ['acme', ''], 'must be one UUID'],
  [
    'from',
    ['2025-11-20', '2025-02-30T00:00:00Z', ['2025-11-20T09:30:00Z', '2025-11-20T09:30:00Z']],
    'must be one ISO 8601 date and time with an offset, e.g. 2025-11-20T09:30:00Z',
  ],
])('a query with a wrong %s is refused in words that name the rule', (field, values, message) => {
  for (const value of values)
    expect(checkQuery(DeliveryFilter, { [field]: value })).toEqual({
      ok: false,
      faults: [{ field, message }],
    });
});

it.each([
  ['delivered', 'true', 'must be true or false'],
  ['missed', false, 'must be true'],
  ['httpStatus', '400', 'must be a whole number from 100 to 599'],
])('a JSON body with %s as %j is refused', (field, value, message) => {
  expect(checkPlain(DeliveryFilter, { [field]: value })).toEqual({ ok: false, faults: [{ field, message }] });
});

it('a class that is mapped from a filter and a page reads the fields of both, and refuses others', () => {
  fc.assert(
    fc.property(filters, (json) => {
      const filter = checkQuery(DeliveryFilter, asText(json));
      const checked = checkQuery(PageOfDeliveries, asText({ ...json, limit: 5 }));
      expect(checked.ok && { ...checked.value }).toEqual(filter.ok && { ...filter.value, limit: 5 });
    }),
  );
  expect(checkQuery(PageOfDeliveries, { kind: 'ach' })).toEqual({
    ok: false,
    faults: [{ field: 'kind', message: 'is not a known field' }],
  });
});

it('a query of any values is accepted or refused without an exception', () => {
  const names = fc.constantFrom('offset', 'limit', 'from', 'settled', 'status', '__proto__', 'constructor');
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.anything())), (entries) => {
      expect(typeof checkQuery(PageOfDeliveries, Object.fromEntries(entries)).ok).toBe('boolean');
    }),
  );
});
