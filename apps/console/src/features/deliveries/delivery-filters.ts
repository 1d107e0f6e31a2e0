import type { Schema } from '../../api';
import { EVENT_TYPES } from '../../formats/event-types';
import { HOLDS } from '../../formats/hold-in-words';
import { OUTCOMES } from '../../formats/outcome-in-words';
import { STATES } from '../../formats/state-badge';
import type { Filter } from '../../tables/filter-bar';
import type { UrlFilters } from '../../tables/use-url-filters';

/** Selects deliveries, for the list and for bulk actions. */
export type DeliveryFilter = Schema<'BulkFilterDto'>;

export const FILTER_NAMES = [
  'paymentId',
  'consumerId',
  'state',
  'status',
  'delivered',
  'settled',
  'holdReason',
  'outcome',
  'httpStatus',
  'eventType',
  'notificationId',
  'from',
  'to',
] as const satisfies readonly (keyof DeliveryFilter)[];
export type FilterName = (typeof FILTER_NAMES)[number];

type Choice = { value: string; label: string };

const labelled = (closed: Readonly<Record<string, { label: string }>>): Choice[] =>
  Object.entries(closed).map(([value, { label }]) => ({ value, label }));

const YES_OR_NO = labelled({ true: { label: 'Yes' }, false: { label: 'No' } });
const TRUTHS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** The filters that are always in view. */
export const mainFilters = (consumers: readonly Choice[]): Filter<FilterName>[] => [
  { kind: 'text', name: 'paymentId', label: 'Payment', placeholder: 'exact match' },
  { kind: 'choice', name: 'consumerId', label: 'Consumer', choices: consumers, isOpen: true },
  { kind: 'choice', name: 'state', label: 'State', choices: labelled(STATES) },
  { kind: 'choice', name: 'holdReason', label: 'Hold reason', choices: labelled(HOLDS) },
  { kind: 'text', name: 'status', label: 'Status', placeholder: 'exact match' },
];

/** The filters behind the button. */
export const MORE_FILTERS: readonly Filter<FilterName>[] = [
  { kind: 'choice', name: 'delivered', label: 'Acknowledged', choices: YES_OR_NO },
  { kind: 'choice', name: 'settled', label: 'Dead and settled', choices: YES_OR_NO },
  {
    kind: 'choice',
    name: 'outcome',
    label: 'Last outcome',
    choices: Object.entries(OUTCOMES).map(([value, label]) => ({ value, label })),
  },
  { kind: 'text', name: 'httpStatus', label: 'Last HTTP status', placeholder: 'e.g. 401' },
  { kind: 'choice', name: 'eventType', label: 'Kind of payment', choices: labelled(EVENT_TYPES) },
  { kind: 'text', name: 'notificationId', label: 'Notification', placeholder: 'exact match' },
  { kind: 'moment', name: 'from', label: 'Accepted from' },
  { kind: 'moment', name: 'to', label: 'Accepted before' },
];

/** The filter of a URL, without unknown values of closed lists; the api validates the rest. */
export function filterOf(values: UrlFilters<FilterName>): DeliveryFilter {
  const filter: DeliveryFilter = {};
  const { state, holdReason, outcome, eventType, httpStatus } = values;
  const [delivered, settled] = [TRUTHS[values.delivered ?? ''], TRUTHS[values.settled ?? '']];
  if (isKey(STATES, state)) filter.state = state;
  if (isKey(HOLDS, holdReason)) filter.holdReason = holdReason;
  if (isKey(OUTCOMES, outcome)) filter.outcome = outcome;
  if (isKey(EVENT_TYPES, eventType)) filter.eventType = eventType;
  if (delivered !== undefined) filter.delivered = delivered;
  if (settled !== undefined) filter.settled = settled;
  if (httpStatus !== undefined) filter.httpStatus = Number(httpStatus);
  for (const name of ['paymentId', 'consumerId', 'notificationId', 'status', 'from', 'to'] as const) {
    const value = values[name];
    if (value !== undefined) filter[name] = value;
  }
  return filter;
}

/** Filters of the URL whose value is not in the closed list: the list is shown without them. */
export const leftOut = (values: UrlFilters<FilterName>): FilterName[] => {
  const filter = filterOf(values);
  return FILTER_NAMES.filter((name) => values[name] !== undefined && filter[name] === undefined);
};

/** The list of deliveries with this filter. */
export function deliveriesPath(filter: DeliveryFilter): string {
  const search = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = filter[name];
    if (value !== undefined) search.set(name, String(value));
  }
  return `/deliveries?${search.toString()}`;
}

const isKey = <Key extends string>(
  closed: Readonly<Record<Key, unknown>>,
  value: string | undefined,
): value is Key => value !== undefined && Object.hasOwn(closed, value);
