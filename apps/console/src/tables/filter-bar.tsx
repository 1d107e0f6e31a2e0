import { Button, Group, Select, TextInput } from '@mantine/core';
import { useId } from 'react';
import { MomentField } from './moment-field';
import type { UrlFilters } from './use-url-filters';

/** One filter of a list. `choice` takes one of a list, `text` what is typed, on Enter, `moment` a time. */
export type Filter<Name extends string> =
  | { kind: 'text'; name: Name; label: string; placeholder?: string }
  | { kind: 'moment'; name: Name; label: string }
  | { kind: 'choice'; name: Name; label: string; choices: readonly { value: string; label: string }[] };

interface FilterBarProps<Name extends string> {
  filters: readonly Filter<Name>[];
  values: UrlFilters<Name>;
  onSet: (name: Name, value: string | null) => void;
  onClear: () => void;
}

/** The filters above a list; give it what `useUrlFilters` returns. `/` focuses its first text field. */
export function FilterBar<Name extends string>({ filters, values, onSet, onClear }: FilterBarProps<Name>) {
  const id = useId();
  return (
    <Group component="search" align="flex-end" gap="sm" aria-label="Filters">
      {filters.map((filter) => {
        const value = values[filter.name] ?? '';
        switch (filter.kind) {
          case 'moment':
            return (
              <MomentField
                key={filter.name}
                label={filter.label}
                value={value}
                onChange={(at) => onSet(filter.name, at)}
                w={{ base: '100%', xs: 220 }}
              />
            );
          case 'choice':
            return (
              <Select
                key={filter.name}
                label={filter.label}
                placeholder="All"
                clearable
                searchable={filter.choices.length > 10}
                clearButtonProps={{ 'aria-label': `Clear ${filter.label}` }}
                data={[...filter.choices]}
                value={value === '' ? null : value}
                onChange={(chosen) => onSet(filter.name, chosen)}
                comboboxProps={{ withinPortal: true }}
                w={{ base: '100%', xs: 190 }}
              />
            );
          case 'text':
            return (
              <TextInput
                // Made anew when the URL changes by other means: Back, a link, Clear.
                key={`${filter.name} ${value}`}
                id={`${id}-${filter.name}`}
                label={filter.label}
                placeholder={filter.placeholder}
                data-search
                defaultValue={value}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') onSet(filter.name, event.currentTarget.value.trim());
                }}
                onBlur={(event) => {
                  const typed = event.currentTarget.value.trim();
                  if (typed !== value) onSet(filter.name, typed);
                }}
                w={{ base: '100%', xs: 220 }}
              />
            );
        }
      })}
      {Object.keys(values).length > 0 && (
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
