import { Alert, Button, Group, Menu, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCalendarTime, IconFilter, IconFilterPlus } from '@tabler/icons-react';
import { useCallback, useRef, useState } from 'react';
import { useZone } from '../formats';
import type { Filter } from './filter';
import { FilterChip } from './filter-chip';
import { presets } from './presets';
import { TypedFilter, useDrafts, type Draft } from './typed-filter';
import { useChangeFilters, type UrlFilters } from './use-url-filters';

interface FilterBarProps<Name extends string> {
  /** The first one with free text is the search field; the others are offered in this order. */
  filters: readonly Filter<Name>[];
  values: UrlFilters<Name>;
  onSet: (name: Name, value: string | null, how?: { isCorrection: boolean }) => void;
  onClear: () => void;
  /** Called when a typed filter shows text that does not apply (yet); must be stable between renders. */
  onDraft?: (name: Name, draft: Draft | null) => void;
}

const ON_A_PHONE = '(max-width: 48em)';

/** The filters above a list, from `useUrlFilters`: a search field, a chip for each that is set, and a menu of the others. */
export function FilterBar<Name extends string>(props: FilterBarProps<Name>) {
  const { filters, values, onSet, onClear, onDraft } = props;
  const zone = useZone();
  const isPhone = useMediaQuery(ON_A_PHONE, undefined, { getInitialValueInEffect: false });
  const [isUnfolded, setUnfolded] = useState(false);
  const [edited, setEdited] = useState<Name | null>(null);
  const [clearings, setClearings] = useState(0);
  const { drafts, setDraft } = useDrafts<Name>();
  const report = useCallback(
    (name: Name, draft: Draft | null) => {
      setDraft(name, draft);
      onDraft?.(name, draft);
    },
    [setDraft, onDraft],
  );
  const addFilter = useRef<HTMLButtonElement>(null);

  const search = filters.find(({ kind }) => kind === 'text');
  const others = filters.filter((filter) => filter !== search);
  // A text that does not apply stays visible: it blocks the bulk actions.
  const isOpen = (name: Name): boolean => edited === name || drafts.has(name);
  const isShown = ({ name }: Filter<Name>): boolean => values[name] !== undefined || isOpen(name);
  const offered = others.filter((filter) => !isShown(filter));
  const hasSpan = filters.some(({ name }) => name === 'from') && filters.some(({ name }) => name === 'to');
  const set = Object.keys(values).length;
  /** Created anew by this, which also empties an incomplete date, and in another zone. */
  const keyOf = ({ name }: Filter<Name>): string => `${name} ${String(clearings)} ${zone}`;
  const dropDrafts = (): void => setClearings(clearings + 1);
  const typed = (filter: Filter<Name>) => ({ value: values[filter.name] ?? '', onSet, onDraft: report });
  return (
    <Group component="search" gap="xs" aria-label="Filters">
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
          {search?.kind === 'text' && (
            <TypedFilter key={keyOf(search)} filter={search} isSearch {...typed(search)} />
          )}
          {others.filter(isShown).map((filter) => (
            <FilterChip
              key={keyOf(filter)}
              filter={filter}
              {...typed(filter)}
              isOpen={isOpen(filter.name)}
              onEdit={(isEdited) => setEdited(isEdited ? filter.name : null)}
              onDone={(isDropped) => {
                setEdited(null);
                if (isDropped) dropDrafts();
                addFilter.current?.focus();
              }}
            />
          ))}
          {others.length > 0 && (
            <Menu position="bottom-start">
              <Menu.Target>
                <Button
                  ref={addFilter}
                  variant="default"
                  px="xs"
                  disabled={offered.length === 0}
                  leftSection={<IconFilterPlus size={16} />}
                >
                  Add filter
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {offered.map(({ name, label }) => (
                  <Menu.Item key={name} onClick={() => setEdited(name)}>
                    {label}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </>
      )}
      {hasSpan && <Presets />}
      {set > 0 && (
        <Button
          variant="subtle"
          px="xs"
          onClick={() => {
            setEdited(null);
            dropDrafts();
            onClear();
          }}
        >
          Clear filters
        </Button>
      )}
      <Ignored filters={filters} values={values} />
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
        <Button variant="default" px="xs" leftSection={<IconCalendarTime size={16} />}>
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
