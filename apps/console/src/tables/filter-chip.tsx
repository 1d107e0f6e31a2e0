import { Button, Popover, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { shortMoment, useToday, useZone } from '../formats';
import type { Filter } from './filter';
import { searchedByApi } from './searched-by-api';
import { TypedFilter, type Draft } from './typed-filter';

interface FilterChipProps<Name extends string> {
  filter: Filter<Name>;
  /** The value in the URL; empty while the filter is being added. */
  value: string;
  onSet: (name: Name, value: string | null, how?: { isCorrection: boolean }) => void;
  onDraft: (name: Name, draft: Draft | null) => void;
  /** Whether its editor is open. */
  isOpen: boolean;
  /** Called when the editor is opened, and when it is left by a click elsewhere. */
  onEdit: (isOpen: boolean) => void;
  /** Called when the editor is left by a choice or a key; `isDropped`: typed text is given up. */
  onDone: (isDropped: boolean) => void;
}

/** From this many choices on, a choice is searched by typing. */
const MANY_CHOICES = 10;

/** One filter, `State: Dead ×`; a click opens its editor. */
export function FilterChip<Name extends string>(props: FilterChipProps<Name>) {
  const { filter, value, onSet, onDraft, isOpen, onEdit, onDone } = props;
  const { name, label } = filter;
  const zone = useZone();
  const today = useToday(zone);
  const shown =
    filter.kind === 'choice'
      ? filter.choices.find((choice) => choice.value === value)?.label
      : filter.kind === 'moment' && !Number.isNaN(Date.parse(value))
        ? shortMoment(new Date(value), zone, today)
        : undefined;
  const words = value === '' ? label : `${label}: ${shown ?? value}`;
  return (
    <Popover opened={isOpen} onDismiss={() => onEdit(false)} position="bottom-start" trapFocus shadow="md">
      <Popover.Target>
        <Button.Group>
          <Button
            variant="default"
            px="xs"
            fw={400}
            maw={280}
            title={words}
            aria-haspopup="dialog"
            onClick={() => onEdit(true)}
          >
            {words}
          </Button>
          <Button
            variant="default"
            px={6}
            aria-label={`Remove the filter ${label}`}
            onClick={() => {
              onSet(name, null);
              onDone(true);
            }}
          >
            <IconX size={14} aria-hidden />
          </Button>
        </Button.Group>
      </Popover.Target>
      <Popover.Dropdown
        aria-label={`Filter ${label}`}
        onKeyDown={(event) => {
          const isEscape = event.key === 'Escape';
          if (!isEscape && (event.key !== 'Enter' || filter.kind === 'choice')) return;
          // The key must not press the button that gets the focus.
          event.preventDefault();
          onDone(isEscape);
        }}
      >
        {filter.kind === 'choice' ? (
          <Select
            label={label}
            placeholder="Choose"
            data-autofocus
            defaultDropdownOpened
            searchable={filter.onSearch !== undefined || filter.choices.length >= MANY_CHOICES}
            {...(filter.onSearch === undefined
              ? {}
              : { onSearchChange: filter.onSearch, filter: searchedByApi })}
            nothingFoundMessage="No match"
            // A click in its list is a click in the editor.
            comboboxProps={{ withinPortal: false }}
            data={[...filter.choices]}
            value={value === '' ? null : value}
            onOptionSubmit={(chosen) => {
              onSet(name, chosen);
              onDone(false);
            }}
            w={220}
          />
        ) : (
          <TypedFilter filter={filter} value={value} onSet={onSet} onDraft={onDraft} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
