import type { ConsumerValues } from './consumer-values';

/** What each setting is called, on forms, in previews and in histories. */
export const FIELD_LABELS: Readonly<Record<keyof ConsumerValues, string>> = {
  name: 'Name',
  externalId: 'Our own id for it',
  contact: 'Whom to call',
  notes: 'Notes',
  url: 'URL',
  caCertificate: 'Private authority',
  timeoutMs: 'Time to answer, in milliseconds',
  timestampUnit: 'Unit of the timestamp',
  eventTypes: 'Kinds of notification',
  achCompanyIds: 'ACH company ids',
  wireCompanyIds: 'Wire company ids',
  allPayments: 'Every payment of the bank',
  ordering: 'Order',
  maxConcurrency: 'At the same time, at most',
  maxPerSecond: 'Per second, at most',
  retrySchedule: 'Waits between tries, in seconds',
};

export const isField = (text: string): text is keyof ConsumerValues => text in FIELD_LABELS;
