import { Kbd, Modal, Table } from '@mantine/core';
import { useMe } from '../session/use-me';
import { SCREENS } from './screens';

export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { data: me } = useMe();
  const screens = SCREENS.filter(({ roles }) => roles.some((role) => me?.may.includes(role)));
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Table>
        <Table.Tbody>
          <Shortcut keys={['/']} does="Search" />
          <Shortcut keys={['Ctrl', 'K']} does="Search, also while typing" />
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
