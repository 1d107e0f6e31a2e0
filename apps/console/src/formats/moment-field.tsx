import { TextInput, type TextInputProps } from '@mantine/core';
import { inUtc } from './moment-in-words';

interface MomentFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** ISO 8601, or empty. */
  value: string;
  /** Gets the moment as ISO 8601 in UTC; empty when it was cleared. */
  onChange: (at: string) => void;
}

/** A moment, typed on the reader's own clock and shown in UTC beneath. */
export function MomentField({ value, onChange, description, ...props }: MomentFieldProps) {
  const at = value === '' ? null : new Date(value);
  const isMoment = at !== null && !Number.isNaN(at.getTime());
  return (
    <TextInput
      {...props}
      type="datetime-local"
      step={1}
      value={isMoment ? onLocalClock(at) : ''}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        const moment = new Date(typed);
        if (typed === '') onChange('');
        else if (!Number.isNaN(moment.getTime())) onChange(moment.toISOString());
      }}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={isMoment ? inUtc(at) : (description ?? 'on your clock')}
    />
  );
}

/** As the browser's field wants it: `2025-11-20T09:30:00`, without a zone. */
function onLocalClock(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
