import { Button, Group, Select } from '@mantine/core';
import { useState } from 'react';
import { TypedFilter } from './typed-filter';
import type { UrlFilters } from './use-url-filters';

/**
 * One filter of a list. `choice` takes one of a closed list, `text` what is typed, on Enter, `moment` a date and time
 * in UTC.
 */
export type Filter<Name extends string> =
  | { kind: 'text'; name: Name; label: string; placeholder?: string }
  | { kind: 'moment'; name: Name; label: string }
  | { kind: 'choice'; name: Name; label: string; choices: readonly { value: string; label: string }[] };

interface FilterBarProps<Name extends string> {
  filters: readonly Filter<Name>[];
  /** Those that are seldom needed: behind a button until one of them is set. */
  more?: readonly Filter<Name>[];
  values: UrlFilters<Name>;
  onSet: (name: Name, value: string | null) => void;
  onClear: () => void;
}

/** So many choices are searched by typing. */
const MANY_CHOICES = 10;

/** The filters above a list; give it what `useUrlFilters` returns. `/` focuses its first text field. */
export function FilterBar<Name extends string>(props: FilterBarProps<Name>) {
  const { filters, more = [], values, onSet, onClear } = props;
  const [asked, setAsked] = useState(false);
  const isMoreSet = more.some(({ name }) => values[name] !== undefined);
  const isMoreShown = asked || isMoreSet;
  return (
    <Group component="search" align="flex-end" gap="sm" aria-label="Filters">
      {[...filters, ...(isMoreShown ? more : [])].map((filter) => {
        const value = values[filter.name] ?? '';
        const set = (chosen: string | null): void => onSet(filter.name, chosen);
        return filter.kind === 'choice' ? (
          <Select
            key={filter.name}
            label={filter.label}
            placeholder="All"
            clearable
            searchable={filter.choices.length >= MANY_CHOICES}
            nothingFoundMessage="None is called that"
            clearButtonProps={{ 'aria-label': `Clear ${filter.label}` }}
            data={[...filter.choices]}
            value={value === '' ? null : value}
            onChange={set}
            comboboxProps={{ withinPortal: true }}
            w={{ base: '100%', xs: 190 }}
          />
        ) : (
          // Made anew when the URL changes by other means: Back, a link, Clear.
          <TypedFilter key={`${filter.name} ${value}`} filter={filter} value={value} onSet={set} />
        );
      })}
      {more.length > 0 && !isMoreSet && (
        <Button variant="subtle" aria-expanded={isMoreShown} onClick={() => setAsked(!asked)}>
          {isMoreShown ? 'Fewer filters' : 'More filters'}
        </Button>
      )}
      {Object.keys(values).length > 0 && (
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
