import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import type { Schema } from '../api/schema';
import { usePageOffset } from './use-page-offset';

/** Rows on one page of every list. */
export const PAGE_SIZE = 50;

/** Goes through a list page by page. The api counts nothing, so there is no last page until one is on it. */
export function Pager({ pagination, shown }: { pagination: Schema<'PaginationDto'>; shown: number }) {
  const [search] = useSearchParams();
  const offset = usePageOffset();
  const to = (there: number): string => {
    const params = new URLSearchParams(search);
    if (there > 0) params.set('offset', String(there));
    else params.delete('offset');
    return `?${params.toString()}`;
  };
  if (offset === 0 && !pagination.moreRecords) return null;
  return (
    <Group component="nav" aria-label="Pages" justify="space-between">
      <Text size="sm" role="status">
        {shown === 0 ? 'Nothing on this page' : `Rows ${String(offset + 1)} to ${String(offset + shown)}`}
        {pagination.moreRecords ? ', and more' : ', the end'}
      </Text>
      <Group gap="xs">
        {offset > 0 && (
          <Button
            component={Link}
            to={to(offset - PAGE_SIZE)}
            variant="default"
            leftSection={<IconChevronLeft size={16} />}
          >
            Previous
          </Button>
        )}
        {pagination.moreRecords && (
          <Button
            component={Link}
            to={to(Number(pagination.offset))}
            variant="default"
            rightSection={<IconChevronRight size={16} />}
          >
            Next
          </Button>
        )}
      </Group>
    </Group>
  );
}
