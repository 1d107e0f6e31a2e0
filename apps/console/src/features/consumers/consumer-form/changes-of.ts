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
      before: asText(before[field]),
      after: asText(after[field]),
    }))
    .filter((change) => change.before !== change.after);
}

/** How a setting is read; what is empty is said to be. */
export function asText(value: ConsumerValues[keyof ConsumerValues]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = Array.isArray(value) ? value.join(', ') : String(value).trim();
  return text === '' ? 'none' : text;
}
