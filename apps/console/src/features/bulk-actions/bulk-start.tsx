import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { deliveriesInWords } from '../../formats/count-in-words';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import { BulkDialog } from './bulk-dialog';
import { useBulkCounts } from './bulk-queries';
import { BULK_KINDS, type BulkKind } from './bulk-words';

const KINDS = ['replay', 'retry', 'cancel', 'acknowledge'] as const satisfies readonly BulkKind[];

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
        {blockedBecause ?? 'Filter the list to replay, retry, cancel or settle many at once.'}
      </Text>
    );
  }
  return (
    <Stack gap={4} align="flex-end">
      <Group gap="xs" role="group" aria-label="All deliveries that match the filters">
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
      <BulkDialog
        opened={opened}
        onClose={dialog.close}
        kind={kind}
        filter={filter}
        blockedBecause={blockedBecause}
      />
    </Stack>
  );
}
