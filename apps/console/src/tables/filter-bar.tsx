import { Alert, Button, Group, Menu, Select, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCalendarTime, IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { useZone } from '../formats';
import { presets } from './presets';
import { TypedFilter, type Draft } from './typed-filter';
import { useChangeFilters, type UrlFilters } from './use-url-filters';

/**
 * The input of a filter. `choice`: a value of a closed list (`isOpen`: a link may have any other value). `text`: free
 * text. `moment`: a date and time in the chosen zone.
 */
export type FilterInput =
  | { kind: 'text'; label: string; placeholder?: string }
  | { kind: 'moment'; label: string }
  | { kind: 'choice'; label: string; choices: readonly { value: string; label: string }[]; isOpen?: boolean };

/** One filter of a list; filters named `from` and `to` get presets. */
export type Filter<Name extends string> = FilterInput & { name: Name };

interface FilterBarProps<Name extends string> {
  filters: readonly Filter<Name>[];
  /** Filters that are seldom needed: behind a button until one of them is set. */
  more?: readonly Filter<Name>[];
  values: UrlFilters<Name>;
  onSet: (name: Name, value: string | null, how?: { isCorrection: boolean }) => void;
  onClear: () => void;
  /** Called when a typed filter shows text that does not apply (yet); must be stable between renders. */
  onDraft?: (name: Name, draft: Draft | null) => void;
}

/** From this many choices on, a choice is searched by typing. */
const MANY_CHOICES = 10;
const ON_A_PHONE = '(max-width: 48em)';

/** The filters above a list, from `useUrlFilters`; folded on a phone. */
export function FilterBar<Name extends string>(props: FilterBarProps<Name>) {
  const { filters, more = [], values, onSet, onClear, onDraft } = props;
  const zone = useZone();
  const isPhone = useMediaQuery(ON_A_PHONE, undefined, { getInitialValueInEffect: false });
  const [isUnfolded, setUnfolded] = useState(false);
  const [asked, setAsked] = useState(false);
  const [clearings, setClearings] = useState(0);
  const all = [...filters, ...more];
  const isMoreSet = more.some(({ name }) => values[name] !== undefined);
  const isMoreShown = asked || isMoreSet;
  const hasSpan = all.some(({ name }) => name === 'from') && all.some(({ name }) => name === 'to');
  const set = Object.keys(values).length;
  return (
    <Group component="search" align="flex-end" gap="sm" aria-label="Filters">
      {isPhone && (
        <Button
          variant="default"
          leftSection={<IconFilter size={16} />}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? 'Hide filters' : `Filters${set > 0 ? ` (${String(set)})` : ''}`}
        </Button>
      )}
      {(!isPhone || isUnfolded) && (
        <>
          {(isMoreShown ? all : filters).map((filter) => {
            const value = values[filter.name] ?? '';
            return filter.kind === 'choice' ? (
              <Select
                key={filter.name}
                label={filter.label}
                placeholder="All"
                clearable
                searchable={filter.choices.length >= MANY_CHOICES}
                nothingFoundMessage="No match"
                clearButtonProps={{ 'aria-label': `Clear ${filter.label}` }}
                data={[...filter.choices]}
                value={value === '' ? null : value}
                onChange={(chosen) => onSet(filter.name, chosen)}
                w={{ base: '100%', xs: 190 }}
              />
            ) : (
              <TypedFilter
                // Created anew by Clear, which also empties an incomplete date, and in another zone.
                key={`${filter.name} ${String(clearings)} ${zone}`}
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
        </>
      )}
      {hasSpan && <Presets />}
      {set > 0 && (
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
      <Ignored filters={all} values={values} />
    </Group>
  );
}

/** Common time ranges. */
function Presets() {
  const zone = useZone();
  const change = useChangeFilters();
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" leftSection={<IconCalendarTime size={16} />}>
          Time range
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {presets(Date.now(), zone).map(({ label, from, to }) => (
          <Menu.Item key={label} onClick={() => change({ from, to })}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Names the values of the URL that are not in a closed list, and were ignored. */
function Ignored<Name extends string>({ filters, values }: Pick<FilterBarProps<Name>, 'filters' | 'values'>) {
  const unknown = filters.filter((filter) => {
    const value = values[filter.name];
    if (filter.kind !== 'choice' || filter.isOpen === true || value === undefined) return false;
    return filter.choices.every((choice) => choice.value !== value);
  });
  if (unknown.length === 0) return null;
  return (
    <Alert color="yellow" role="alert" w="100%" p="xs">
      {unknown.map(({ name }) => (
        <Text key={name} size="sm">
          {name}={values[name]} is not a known filter value and was ignored.
        </Text>
      ))}
    </Alert>
  );
}
