import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { deliveriesInWords } from '../../formats/count-in-words';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import { BulkForm } from './bulk-form';
import { BULK_KINDS, type BulkKind } from './bulk-words';
import { useBulkCounts } from './use-bulk-counts';

const KINDS = ['replay', 'retry', 'cancel'] as const;

interface BulkStartProps {
  /** What the URL means now; the dialog, too, acts on this and nothing that it remembers. */
  filter: DeliveryFilter;
  /** Why nothing may be started at this moment; null when the fields and the list mean this filter. */
  blockedBecause: string | null;
}

/** Begins a bulk action on what the list is filtered to; never on everything there ever was. */
export function BulkStart({ filter, blockedBecause }: BulkStartProps) {
  const [opened, dialog] = useDisclosure(false);
  const [kind, setKind] = useState<BulkKind>('replay');
  const isFiltered = Object.keys(filter).length > 0;
  const counts = useBulkCounts(filter, isFiltered && blockedBecause === null && !opened);
  const isCounting = KINDS.some((each) => counts[each] === 'counting');
  const words = blockedBecause ?? (isCounting ? 'Counting …' : null);
  if (!isFiltered) {
    return (
      <Text size="sm" c="dimmed">
        {blockedBecause ?? 'Filter the list to replay, retry or cancel many at once.'}
      </Text>
    );
  }
  return (
    <Stack gap={4} align="flex-end">
      <Group gap="xs" role="group" aria-label="All that match the filters">
        {KINDS.map((each) => {
          const count = counts[each];
          return (
            <Button
              key={each}
              variant="default"
              disabled={blockedBecause !== null || count === 'counting' || count === 0}
              onClick={() => {
                setKind(each);
                dialog.open();
              }}
            >
              {BULK_KINDS[each].verb} {typeof count === 'number' && `${deliveriesInWords(count)} `}…
            </Button>
          );
        })}
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {words}
      </Text>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="Many deliveries at once"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <BulkForm kind={kind} filter={filter} blockedBecause={blockedBecause} onClose={dialog.close} />
      </Modal>
    </Stack>
  );
}
