import { ActionIcon, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns3 } from '@tabler/icons-react';
import type { Column } from './data-table';

/** The columns that a person has not hidden in this browser; all of them without a name. */
export function useChosenColumns<Row>(all: readonly Column<Row>[], keptAs: string | undefined) {
  const [hidden, setHidden] = useLocalStorage<readonly string[]>({
    key: `hidden columns of ${keptAs ?? ''}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const columns =
    keptAs === undefined ? all : all.filter(({ header }, at) => at === 0 || !hidden.includes(header));
  return { columns, hidden, setHidden };
}

interface ColumnChooserProps<Row> {
  columns: readonly Column<Row>[];
  hidden: readonly string[];
  onChange: (hidden: readonly string[]) => void;
}

/** A menu with every column except the first, which has the link of the row. */
export function ColumnChooser<Row>({ columns, hidden, onChange }: ColumnChooserProps<Row>) {
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="sm" aria-label="Columns" title="Columns" visibleFrom="sm">
          <IconColumns3 size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.slice(1).map(({ header }) => (
          <Menu.CheckboxItem
            key={header}
            checked={!hidden.includes(header)}
            onChange={(isShown) =>
              onChange(isShown ? hidden.filter((one) => one !== header) : [...hidden, header])
            }
          >
            {header}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
