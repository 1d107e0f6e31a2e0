import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import { BulkForm } from './bulk-form';
import { BULK_KINDS, type BulkKind } from './bulk-words';

const KINDS = ['replay', 'retry', 'cancel'] as const;

/** Begins a bulk action on what the list is filtered to; never on everything there ever was. */
export function BulkStart({ filter }: { filter: DeliveryFilter }) {
  const [opened, dialog] = useDisclosure(false);
  const [asked, setAsked] = useState<{ kind: BulkKind; filter: DeliveryFilter }>();
  if (Object.keys(filter).length === 0 && !opened) {
    return (
      <Text size="sm" c="dimmed">
        Filter the list to replay, retry or cancel many at once.
      </Text>
    );
  }
  return (
    <Group gap="xs" role="group" aria-label="All that match the filters">
      {KINDS.map((kind) => (
        <Button
          key={kind}
          variant="default"
          onClick={() => {
            setAsked({ kind, filter });
            dialog.open();
          }}
        >
          {BULK_KINDS[kind].verb} these …
        </Button>
      ))}
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="Many deliveries at once"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {asked !== undefined && <BulkForm {...asked} onClose={dialog.close} />}
      </Modal>
    </Group>
  );
}
