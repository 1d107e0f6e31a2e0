import { TextInput } from '@mantine/core';

interface TypedFilterProps {
  filter: { kind: 'text' | 'moment'; label: string; placeholder?: string };
  value: string;
  onSet: (value: string) => void;
}

/** A filter that is typed; it holds when the field is left or Enter is pressed. */
export function TypedFilter({ filter, value, onSet }: TypedFilterProps) {
  const isMoment = filter.kind === 'moment';
  const shown = isMoment ? asField(value) : value;
  const tell = (typed: string): void => {
    if (typed !== shown) onSet(isMoment ? asInstant(typed) : typed);
  };
  return (
    <TextInput
      label={isMoment ? `${filter.label} (UTC)` : filter.label}
      placeholder={filter.placeholder}
      type={isMoment ? 'datetime-local' : 'text'}
      data-search={isMoment ? undefined : true}
      defaultValue={shown}
      onKeyDown={(event) => {
        if (event.key === 'Enter') tell(event.currentTarget.value.trim());
      }}
      onBlur={(event) => tell(event.currentTarget.value.trim())}
      w={{ base: '100%', xs: 220 }}
    />
  );
}

/** As the browser's field for a date and a time has it; empty for what is not a moment. */
function asField(instant: string): string {
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 16);
}

const asInstant = (field: string): string => (field === '' ? '' : `${field.slice(0, 16)}:00Z`);
