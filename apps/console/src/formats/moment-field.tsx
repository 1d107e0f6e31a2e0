import { TextInput, type TextInputProps } from '@mantine/core';
import { fieldOf, fullMoment, instantOf, localZone, UTC, zoneLabel } from './moment-in-words';
import { useZone } from './clock';

interface MomentFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'label'> {
  /** The zone is appended. */
  label: string;
  /** ISO 8601, or empty. */
  value: string;
  /** Gets ISO 8601 in UTC; empty when cleared. */
  onChange: (at: string) => void;
}

/** A field for a moment in the chosen zone; its hint shows the other zone. */
export function MomentField({ value, onChange, label, description, ...props }: MomentFieldProps) {
  const zone = useZone();
  const shown = fieldOf(value, zone);
  const elsewhere = zone === UTC ? localZone() : UTC;
  return (
    <TextInput
      {...props}
      label={`${label} (${zoneLabel(zone)})`}
      type="datetime-local"
      step={1}
      value={shown}
      onChange={({ currentTarget }) => onChange(instantOf(currentTarget.value, zone))}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={
        shown !== '' && elsewhere !== zone ? `= ${fullMoment(new Date(value), elsewhere)}` : description
      }
    />
  );
}
