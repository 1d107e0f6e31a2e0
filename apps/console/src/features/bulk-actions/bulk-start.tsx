import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { deliveriesInWords } from '../../formats';
import type { DeliveryFilter } from '../delivery-filter/delivery-fields';
import { BulkDialog } from './bulk-dialog';
import { useBulkCounts } from './bulk-queries';
import { BULK_KINDS, KINDS, type BulkKind } from './bulk-words';

interface BulkStartProps {
  /** The filter of the URL now; the dialog uses it, too. */
  filter: DeliveryFilter;
  /** Why no action may start now; null when the fields and the list show this filter. */
  blockedBecause: string | null;
}

/** Starts a bulk action on the filtered list; never without a filter. */
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
        {blockedBecause ??
          'Filter the list to replay, retry, cancel or settle many at once. The page of a consumer replays a period.'}
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
    <Stack gap={4} align={isPhone ? 'flex-start' : 'flex-end'}>
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
