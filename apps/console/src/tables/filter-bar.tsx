import { Button, Group, Select } from '@mantine/core';
import { useState } from 'react';
import { TypedFilter } from './typed-filter';
import type { Draft } from './use-drafts';
import type { UrlFilters } from './use-url-filters';

/**
 * One filter of a list. `choice` takes one of a closed list, `text` what is typed, `moment` a date and time in UTC.
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
  onSet: (name: Name, value: string | null, how?: { isCorrection: boolean }) => void;
  onClear: () => void;
  /** Hears which typed filters show something that does not apply (yet); keep it the same between renders. */
  onDraft?: (name: Name, draft: Draft | null) => void;
}

/** So many choices are searched by typing. */
const MANY_CHOICES = 10;

/** The filters above a list; give it what `useUrlFilters` returns. `/` focuses its first text field. */
export function FilterBar<Name extends string>(props: FilterBarProps<Name>) {
  const { filters, more = [], values, onSet, onClear, onDraft } = props;
  const [asked, setAsked] = useState(false);
  const [clearings, setClearings] = useState(0);
  const isMoreSet = more.some(({ name }) => values[name] !== undefined);
  const isMoreShown = asked || isMoreSet;
  return (
    <Group component="search" align="flex-end" gap="sm" aria-label="Filters">
      {[...filters, ...(isMoreShown ? more : [])].map((filter) => {
        const value = values[filter.name] ?? '';
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
            onChange={(chosen) => onSet(filter.name, chosen)}
            comboboxProps={{ withinPortal: true }}
            w={{ base: '100%', xs: 190 }}
          />
        ) : (
          <TypedFilter
            // Made anew by Clear, which empties half a date and time, too.
            key={`${filter.name} ${String(clearings)}`}
            filter={filter}
            value={value}
            onSet={onSet}
            onDraft={onDraft}
          />
        );
      })}
      {more.length > 0 && !isMoreSet && (
        <Button variant="default" aria-expanded={isMoreShown} onClick={() => setAsked(!asked)}>
          {isMoreShown ? 'Fewer filters' : 'More filters'}
        </Button>
      )}
      {Object.keys(values).length > 0 && (
        <Button
          variant="default"
          onClick={() => {
            setClearings(clearings + 1);
            onClear();
          }}
        >
          Clear filters
        </Button>
      )}
    </Group>
  );
}
