import { expect, it } from '@jest/globals';
import { changedAt } from '../testing/changed-at.js';
import { faultsOf } from '../testing/faults-of.js';
import { checkPlain } from './check-plain.js';
import { achExample, wireExample } from './status-change/examples.js';
import { BatchDto, BatchItemDto } from './status-change/status-change.dto.js';

it.each([
  ['a name as long as a request', 'n'.repeat(100_000), `${'n'.repeat(200)}…`],
  ['a name of 200 characters, shown whole', 'n'.repeat(200), 'n'.repeat(200)],
  ['a pair of surrogates', `${'n'.repeat(199)}\u{1FA99}`, `${'n'.repeat(199)}\ufffd…`],
])('cuts the path of a fault after 200 characters: %s', (_what, name, field) => {
  expect(faultsOf({ ...achExample(), [name]: 1 })).toEqual([`${field}: is not a known field`]);
});

it('lists at most 100 faults of a change, and counts the others', () => {
  const unknown = Object.fromEntries(Array.from({ length: 150 }, (_none, index) => [`f${String(index)}`, 1]));
  const faults = faultsOf({ ...achExample(), ...unknown });
  expect(faults).toHaveLength(101);
  expect(faults.at(-1)).toBe('body: has 50 faults beyond the 100 listed');
});

const exceptions = (length: number, one: unknown): unknown =>
  changedAt(wireExample(), 'data.wireEventInfo.exceptionInfo', Array(length).fill(one));

it.each([
  ['2,001 unknown fields', Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`f${at}`, 1]))],
  ['2,001 items of a list', exceptions(2_001, 1)],
  ['700 objects', exceptions(700, { exceptionCode: 'E1', exceptionDescription: '' })],
])('refuses an event with %s, and does not list their faults', (_what, raw) => {
  expect(faultsOf(raw)).toEqual(['body: has more than 2000 fields']);
});

it.each([
  ['arrays', '['.repeat(131_000) + ']'.repeat(131_000)],
  ['objects', '{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000)],
])('does not overflow the stack for a request full of %s', (_what, json) => {
  for (const path of ['data.achEventInfo', 'data.achEventInfo.debtor', 'more'])
    expect(faultsOf(changedAt(achExample(), path, JSON.parse(json))).length).toBeGreaterThan(0);
});

it('does not check or copy the items of a batch', () => {
  const events = [
    achExample(),
    JSON.parse('{"toString":1}'),
    JSON.parse('['.repeat(9_999) + ']'.repeat(9_999)),
    null,
  ];
  const checked = checkPlain(BatchDto, { events });
  expect(checked).toEqual({ ok: true, value: expect.any(BatchDto) });
  expect(checked.ok && checked.value.events).toBe(events);
});

it.each([
  [{}, ['is required']],
  [null, ['must be an array']],
  [[], ['must hold 1 to 500 events']],
  [Array(501).fill(0), ['must hold 1 to 500 events']],
  [Array(500).fill(0), []],
])('accepts only a batch of 1 to 500 items (case %#)', (events, messages) => {
  const checked = checkPlain(BatchDto, Array.isArray(events) || events === null ? { events } : {});
  expect(checked.ok ? [] : checked.faults).toEqual(messages.map((message) => ({ field: 'events', message })));
});

it('accepts idempotency keys of 1 to 255 characters for an item of a batch', () => {
  const keys = [undefined, 'k', 'k'.repeat(255), '', 'k'.repeat(256), null];
  const verdicts = keys.map(
    (idempotencyKey) => checkPlain(BatchItemDto, { ...achExample(), idempotencyKey }).ok,
  );
  expect(verdicts).toEqual([true, true, true, false, false, false]);
});
