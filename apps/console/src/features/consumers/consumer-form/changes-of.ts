import { FIELD_LABELS, isField } from './field-labels';
import type { ConsumerValues } from './consumer-values';

export interface Change {
  readonly field: keyof ConsumerValues;
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** What is different, in words; in the order of the form. */
export function changesOf(before: ConsumerValues, after: ConsumerValues): Change[] {
  return Object.keys(FIELD_LABELS)
    .filter(isField)
    .map((field) => ({
      field,
      label: FIELD_LABELS[field],
      before: asText(field, before),
      after: asText(field, after),
    }))
    .filter((change) => change.before !== change.after);
}

/** What an empty setting means; `none` where that says it. */
const EMPTY: Readonly<Partial<Record<keyof ConsumerValues, string>>> = {
  contact: 'nobody is named',
  caCertificate: 'none: the public ones are trusted',
  maxPerSecond: 'no limit',
  retrySchedule: '13 tries over about 72 hours',
};

/** How a setting is read. */
export function asText(field: keyof ConsumerValues, values: ConsumerValues): string {
  const value = field === 'ordering' ? ORDERS[values.ordering] : values[field];
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = Array.isArray(value) ? value.join(', ') : String(value).trim();
  return text === '' ? (EMPTY[field] ?? 'none') : text;
}

const ORDERS: Readonly<Record<ConsumerValues['ordering'], string>> = {
  payment: 'the statuses of a payment one after the other',
  none: 'each as soon as it can',
};
