import { TextInput, type TextInputProps } from '@mantine/core';
import { fieldOf, fullMoment, instantOf, localZone, UTC, zoneLabel } from './moment-in-words';
import { useZone } from './clock';

interface MomentFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'label'> {
  /** Is followed by the zone. */
  label: string;
  /** ISO 8601, or empty. */
  value: string;
  /** Gets the moment as ISO 8601 in UTC; empty when it was cleared. */
  onChange: (at: string) => void;
}

/** A moment, typed in the zone of the switch; beneath, the same moment in the other zone. */
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
