import type { Schema } from '../../api';
import { isKey, keysOf } from '../../formats/closed-list';
import { EVENT_TYPES } from '../../formats/event-types';
import { HOLDS } from '../../formats/hold-in-words';
import { OUTCOMES } from '../../formats/outcome-in-words';
import { STATES } from '../../formats/state-badge';
import type { FilterInput } from '../../tables/filter';

/** Selects deliveries, for the lists and for bulk actions. */
export type DeliveryFilter = Schema<'BulkFilterDto'>;
export type FilterName = keyof DeliveryFilter;
export type FilterValues = Required<DeliveryFilter>;

/** Names that a sentence about a filter needs. */
export interface Wording {
  readonly consumer: (id: string) => string;
  readonly moment: (instant: string) => string;
}

/** One field of the filter: in the filter bar, in a URL and in a sentence. */
interface Field<Value> {
  readonly input: FilterInput;
  /** The value of a URL's text; undefined for one that is not in the closed list. The api checks the rest. */
  readonly read: (text: string) => Value | undefined;
  /** The words before the value in a sentence. */
  readonly word: string;
  readonly inWords: (value: Value, wording: Wording) => string;
}

const text = (label: string, word: string): Field<string> => ({
  input: { kind: 'text', label, placeholder: 'exact match' },
  read: (given) => given,
  word,
  inWords: (value) => value,
});

const moment = (label: string, word: string): Field<string> => ({
  input: { kind: 'moment', label },
  read: (given) => given,
  word,
  inWords: (value, wording) => wording.moment(value),
});

const choice = <Key extends string>(
  label: string,
  word: string,
  closed: Readonly<Record<Key, string | { label: string }>>,
): Field<Key> => {
  const labelOf = (key: Key): string => {
    const entry: string | { label: string } = closed[key];
    return typeof entry === 'string' ? entry : entry.label;
  };
  const choices = keysOf(closed).map((value) => ({ value, label: labelOf(value) }));
  return {
    input: { kind: 'choice', label, choices },
    read: (given) => (isKey(closed, given) ? given : undefined),
    word,
    inWords: labelOf,
  };
};

/** A filter that is set or not. */
const flag = (label: string, only: string): Field<true> => ({
  input: { kind: 'choice', label, choices: [{ value: 'true', label: only }] },
  read: (given) => (given === 'true' ? true : undefined),
  word: '',
  inWords: () => only.toLowerCase(),
});

const TRUTHS = { true: true, false: false };
const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

const truth = (label: string, word: string, adjective: string): Field<boolean> => ({
  input: { kind: 'choice', label, choices: YES_OR_NO },
  read: (given) => (isKey(TRUTHS, given) ? TRUTHS[given] : undefined),
  word,
  inWords: (value) => (value ? adjective : `not ${adjective}`),
});

/** Every field, in the order of a sentence. */
export const FIELDS: { readonly [Name in keyof FilterValues]: Field<FilterValues[Name]> } = {
  status: text('Status', 'status'),
  state: choice('State', 'state', STATES),
  delivered: truth('Acknowledged', '', 'acknowledged'),
  missed: flag('Missed', 'Not delivered'),
  openOrDelivered: flag('Delivered or open', 'Not cancelled or settled'),
  waiting: flag('Waiting', 'Waiting'),
  settled: truth('Dead and settled', 'dead,', 'settled'),
  holdReason: choice('Hold reason', 'hold reason', HOLDS),
  consumerId: {
    // The page adds the consumers.
    input: { kind: 'choice', label: 'Consumer', choices: [], isOpen: true },
    read: (given) => given,
    word: 'consumer',
    inWords: (id, wording) => wording.consumer(id),
  },
  paymentId: text('Payment', 'payment'),
  outcome: choice('Last outcome', 'last outcome', OUTCOMES),
  httpStatus: {
    input: { kind: 'text', label: 'Last HTTP status', placeholder: 'e.g. 401' },
    read: Number,
    word: 'last HTTP status',
    inWords: String,
  },
  eventType: choice('Kind of payment', 'kind', EVENT_TYPES),
  notificationId: text('Notification', 'notification'),
  from: moment('Accepted from', 'accepted from'),
  to: moment('Accepted before', 'accepted before'),
};
