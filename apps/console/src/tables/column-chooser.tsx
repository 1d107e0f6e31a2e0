import { ActionIcon, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns3 } from '@tabler/icons-react';

/**
 * The columns that a person has not hidden in this browser, and the menu that hides them; all without a name. The first
 * has the link of the row and is never hidden.
 */
export function useChosenColumns<Column extends { header: string }>(
  all: readonly Column[],
  keptAs: string | undefined,
) {
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `hidden columns of ${keptAs ?? ''}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  if (keptAs === undefined) return { columns: all, chooser: null };
  const [first, ...others] = all.map(({ header }) => header);
  const columns = all.filter(({ header }) => header === first || !hidden.includes(header));
  const chooser = (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="sm" aria-label="Columns" title="Columns" visibleFrom="sm">
          <IconColumns3 size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxGroup
          value={others.filter((header) => !hidden.includes(header))}
          onChange={(shown) => setHidden(others.filter((header) => !shown.includes(header)))}
        >
          {others.map((header) => (
            <Menu.CheckboxItem key={header} value={header}>
              {header}
            </Menu.CheckboxItem>
          ))}
        </Menu.CheckboxGroup>
      </Menu.Dropdown>
    </Menu>
  );
  return { columns, chooser };
}
