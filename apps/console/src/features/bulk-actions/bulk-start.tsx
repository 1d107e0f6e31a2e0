import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { deliveriesInWords } from '../../formats';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import { BulkDialog } from './bulk-dialog';
import { useBulkCounts } from './bulk-queries';
import { BULK_KINDS, KINDS, type BulkKind } from './bulk-words';

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
  const isPhone = useMediaQuery('(max-width: 48em)');
  const isFiltered = Object.keys(filter).length > 0;
  const isCounted = isFiltered && blockedBecause === null;
  const { data, isLoading } = useBulkCounts(filter, isCounted && !opened);
  if (!isFiltered) {
    return (
      <Text size="sm" c="dimmed">
        {blockedBecause ?? 'Filter the list to replay, retry, cancel or settle many at once.'}
      </Text>
    );
  }
  const choices = KINDS.map((each) => {
    const count = isCounted ? data?.counts[each] : undefined;
    return {
      key: each,
      children: `${BULK_KINDS[each].verb} ${count === undefined ? '' : `${deliveriesInWords(count)} `}…`,
      disabled: blockedBecause !== null || isLoading || count === 0,
      onClick: () => {
        setKind(each);
        dialog.open();
      },
    };
  });
  return (
    <Stack gap={4} align="flex-end">
      {isPhone ? (
        <Menu>
          <Menu.Target>
            <Button variant="default">Bulk actions</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {choices.map(({ key, ...choice }) => (
              <Menu.Item key={key} {...choice} />
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : (
        <Group gap="xs" role="group" aria-label="All deliveries that match the filters">
          {choices.map(({ key, ...choice }) => (
            <Button key={key} variant="default" {...choice} />
          ))}
        </Group>
      )}
      <Text size="sm" c="dimmed" role="status">
        {blockedBecause ?? (isLoading ? 'Counting …' : null)}
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
