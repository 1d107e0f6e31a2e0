/** The label of each setting. */
export const FIELD_LABELS = {
  name: 'Name',
  externalId: 'External ID',
  contact: 'Contact',
  notifyContact: 'Mail to the contact',
  notes: 'Notes',
  url: 'URL',
  caCertificate: 'Private certificate authority',
  timeoutMs: 'Timeout (ms)',
  timestampUnit: 'Timestamp unit',
  eventTypes: 'Notification types',
  achCompanyIds: 'ACH company IDs',
  wireCompanyIds: 'Wire company IDs',
  allPayments: 'All payments of the bank',
  ordering: 'Order',
  maxConcurrency: 'Max. concurrent requests',
  maxPerSecond: 'Max. requests per second',
  retrySchedule: 'Retry schedule (s)',
} as const;

export const isField = (text: string): text is keyof typeof FIELD_LABELS => text in FIELD_LABELS;
