import type { Consumer } from '../use-all-consumers';

/** A consumer's settings as a form holds them: an empty text is an absent one. */
export interface ConsumerValues {
  name: string;
  externalId: string;
  contact: string;
  notes: string;
  url: string;
  /** PEM. */
  caCertificate: string;
  timeoutMs: number | string;
  timestampUnit: Consumer['timestampUnit'];
  eventTypes: Consumer['eventTypes'];
  achCompanyIds: string[];
  wireCompanyIds: string[];
  allPayments: boolean;
  ordering: Consumer['ordering'];
  maxConcurrency: number | string;
  maxPerSecond: number | string;
  /** Seconds, separated by commas or spaces. */
  retrySchedule: string;
}

/** The api's defaults, filled in so that they can be read. */
export const NEW_CONSUMER: ConsumerValues = {
  name: '',
  externalId: '',
  contact: '',
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

export const valuesOf = (consumer: Consumer): ConsumerValues => ({
  name: consumer.name,
  externalId: consumer.externalId ?? '',
  contact: consumer.contact ?? '',
  notes: consumer.notes ?? '',
  url: consumer.url,
  caCertificate: consumer.caCertificate ?? '',
  timeoutMs: consumer.timeoutMs,
  timestampUnit: consumer.timestampUnit,
  eventTypes: consumer.eventTypes,
  achCompanyIds: consumer.achCompanyIds,
  wireCompanyIds: consumer.wireCompanyIds,
  allPayments: consumer.allPayments,
  ordering: consumer.ordering,
  maxConcurrency: consumer.maxConcurrency,
  maxPerSecond: consumer.maxPerSecond ?? '',
  retrySchedule: consumer.retrySchedule?.join(', ') ?? '',
});

/** What the api takes for these values; what is empty and need not be set is null. */
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

/** The numbers of a schedule as it is typed; NaN where there is something else. */
export const secondsOf = (typed: string): number[] =>
  typed
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map(Number);
