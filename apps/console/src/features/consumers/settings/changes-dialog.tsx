import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import type { Change } from '../consumer-form/changes-of';

interface ChangesDialogProps {
  /** Null while it is closed. */
  changes: readonly Change[] | null;
  isSaving: boolean;
  onClose: () => void;
  onSave: () => void;
}

/** What is about to be changed, before and after. */
export function ChangesDialog({ changes, isSaving, onClose, onSave }: ChangesDialogProps) {
  return (
    <Modal
      opened={changes !== null}
      onClose={onClose}
      size="lg"
      title="Save these changes?"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text>They hold from the next attempt on, also for deliveries that already wait.</Text>
        <Table layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Setting</Table.Th>
              <Table.Th scope="col">Now</Table.Th>
              <Table.Th scope="col">After</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes?.map(({ field, label, before, after }) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{before}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{after}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Back to the form
          </Button>
          <Button onClick={onSave} loading={isSaving} data-autofocus>
            Save {changes?.length === 1 ? 'the change' : `${String(changes?.length ?? 0)} changes`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
