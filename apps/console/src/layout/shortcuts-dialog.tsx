import { Kbd, Modal, Switch, Table, Text } from '@mantine/core';
import { useMe } from '../session/use-me';
import { SCREENS } from './screens';

interface ShortcutsDialogProps {
  opened: boolean;
  onClose: () => void;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** Every shortcut; and the switch, for those whose voice or hands press letters unmeant (WCAG 2.2, 2.1.4). */
export function ShortcutsDialog({ opened, onClose, isOn, onSwitch }: ShortcutsDialogProps) {
  const { data: me } = useMe();
  const screens = SCREENS.filter(({ roles }) => roles.some((role) => me?.may.includes(role)));
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Switch
        label="Single-letter shortcuts"
        checked={isOn}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
      {!isOn && <Text size="sm">They are off in this browser. The account menu opens this dialog.</Text>}
      <Table mt="sm">
        <Table.Tbody>
          <Shortcut keys={['/']} does="Go to the search field" />
          <Shortcut keys={['?']} does="Show this" />
          <Shortcut keys={['Esc']} does="Close what is open" />
          {screens.map(({ label, key }) => (
            <Shortcut key={key} keys={['g', key]} does={`Go to ${label}`} />
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

function Shortcut({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <Table.Tr>
      <Table.Td>
        {keys.map((key) => (
          <Kbd key={key} mr={4}>
            {key}
          </Kbd>
        ))}
      </Table.Td>
      <Table.Td>{does}</Table.Td>
    </Table.Tr>
  );
}
