import { createFormContext } from '@mantine/form';
import type { Consumer } from '../../../queries/use-consumers';
import { keysOf } from '../../../formats/closed-list';
import { FIELD_LABELS } from '../../../formats/field-labels';

type Same =
  | 'name'
  | 'url'
  | 'timestampUnit'
  | 'eventTypes'
  | 'achCompanyIds'
  | 'wireCompanyIds'
  | 'allPayments'
  | 'notifyContact'
  | 'ordering';
/** `retrySchedule`: seconds, separated by commas or spaces. */
type AsText = 'externalId' | 'contact' | 'notes' | 'caCertificate' | 'retrySchedule';
type AsNumber = 'timeoutMs' | 'maxConcurrency' | 'maxPerSecond';

/** The settings of a consumer in a form: an absent one is an empty text. */
export type ConsumerValues = Pick<Consumer, Same> &
  Record<AsText, string> &
  Record<AsNumber, number | string>;

/** The form of onboarding and of the settings. */
export const [ConsumerFormProvider, useConsumerFormContext, useConsumerForm] =
  createFormContext<ConsumerValues>();

/** The api's defaults, filled in so that they can be read. */
export const NEW_CONSUMER: ConsumerValues = {
  name: '',
  externalId: '',
  contact: '',
  notifyContact: false,
  notes: '',
  url: '',
  caCertificate: '',
  timeoutMs: 10_000,
  timestampUnit: 'seconds',
  eventTypes: ['ach.status', 'wire.status'],
  achCompanyIds: [],
  wireCompanyIds: [],
  allPayments: false,
  ordering: 'payment',
  maxConcurrency: 64,
  maxPerSecond: '',
  retrySchedule: '',
};

/** The values of a consumer's settings; the form ignores its other fields. */
export const valuesOf = (consumer: Consumer): ConsumerValues => ({
  ...consumer,
  externalId: consumer.externalId ?? '',
  contact: consumer.contact ?? '',
  notes: consumer.notes ?? '',
  caCertificate: consumer.caCertificate ?? '',
  maxPerSecond: consumer.maxPerSecond ?? '',
  retrySchedule: consumer.retrySchedule?.join(', ') ?? '',
});

/** The settings for the api; an empty optional one is null. */
export function settingsOf(values: ConsumerValues) {
  const { externalId, contact, notes, caCertificate, maxPerSecond, retrySchedule, ...others } = values;
  return {
    ...others,
    timeoutMs: Number(values.timeoutMs),
    maxConcurrency: Number(values.maxConcurrency),
    externalId: textOrNull(externalId),
    contact: textOrNull(contact),
    notes: textOrNull(notes),
    caCertificate: textOrNull(caCertificate),
    maxPerSecond: maxPerSecond === '' ? null : Number(maxPerSecond),
    retrySchedule: retrySchedule.trim() === '' ? null : secondsOf(retrySchedule),
  };
}

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text);

/** The numbers of a typed schedule; NaN for anything else. */
const secondsOf = (typed: string): number[] =>
  typed
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map(Number);

type Fault = string | null;
const isUrl = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');
const enterNumber = (value: number | string): Fault => (value === '' ? 'Enter a number' : null);

/** The checks before the request, by field; the api has its own. */
export const VALIDATE = {
  name: (name: string): Fault => (name.trim() === '' ? 'Enter a name' : null),
  url: (url: string): Fault => (isUrl(url) ? null : 'Enter the full URL, e.g. https://consumer.example/hook'),
  eventTypes: (types: readonly string[]): Fault => (types.length === 0 ? 'Choose at least one' : null),
  retrySchedule: (typed: string): Fault =>
    secondsOf(typed).every(Number.isSafeInteger)
      ? null
      : 'Enter whole numbers of seconds, separated by commas',
  timeoutMs: enterNumber,
  maxConcurrency: enterNumber,
} satisfies Partial<Record<keyof ConsumerValues, unknown>>;

export interface Change {
  readonly field: keyof ConsumerValues;
  readonly before: string;
  readonly after: string;
}

/** The settings that differ, as text, in the order of the form. */
export const changesOf = (before: ConsumerValues, after: ConsumerValues): Change[] =>
  keysOf(FIELD_LABELS)
    .map((field) => ({ field, before: asText(field, before), after: asText(field, after) }))
    .filter((change) => change.before !== change.after);

/** The meaning of an empty setting; `None` for the others. */
const EMPTY: Readonly<Partial<Record<keyof ConsumerValues, string>>> = {
  contact: 'No contact',
  caCertificate: 'None: public authorities are trusted',
  maxPerSecond: 'No limit',
  retrySchedule: '13 attempts over about 72 hours',
};

const ORDERS: Readonly<Record<ConsumerValues['ordering'], string>> = {
  payment: 'In order, payment by payment',
  none: 'As soon as possible, in any order',
};

/** A setting as text. */
export function asText(field: keyof ConsumerValues, values: ConsumerValues): string {
  const value = field === 'ordering' ? ORDERS[values.ordering] : values[field];
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return value.toLocaleString('en-US');
  const text = Array.isArray(value) ? value.join(', ') : value.trim();
  return text === '' ? (EMPTY[field] ?? 'None') : text;
}
