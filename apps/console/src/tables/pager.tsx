import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import type { Schema } from '../api';
import { countInWords } from '../formats';

/** Rows on one page of every list. */
export const PAGE_SIZE = 50;

/** The number of rows before this page; in the URL, so that a page has a link. */
export function usePageOffset(): number {
  const [search] = useSearchParams();
  const offset = Number(search.get('offset') ?? 0);
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}

/** The links to other pages. The api does not count rows, so the last page is unknown until it is shown. */
export function Pager({ pagination, shown }: { pagination: Schema<'PaginationDto'>; shown: number }) {
  const [search] = useSearchParams();
  const offset = usePageOffset();
  const leadingTo = (there: number) => {
    const params = new URLSearchParams(search);
    if (there > 0) params.set('offset', String(there));
    else params.delete('offset');
    return { component: Link, to: `?${params.toString()}`, variant: 'default' };
  };
  const { moreRecords } = pagination;
  if (offset === 0 && shown === 0) return null;
  const isWhole = offset === 0 && !moreRecords;
  const range = `Rows ${countInWords(offset + 1)}–${countInWords(offset + shown)}`;
  return (
    <Group component="nav" aria-label="Pages" justify="space-between">
      <Text size="sm" role="status">
        {shown === 0
          ? 'No more rows'
          : isWhole
            ? `${String(shown)} ${shown === 1 ? 'row' : 'rows'}`
            : `${range}${moreRecords ? ', more on the next page' : ' (last page)'}`}
      </Text>
      <Group gap="xs">
        {offset > PAGE_SIZE && <Button {...leadingTo(0)}>First page</Button>}
        {offset > 0 && (
          <Button {...leadingTo(offset - PAGE_SIZE)} leftSection={<IconChevronLeft size={16} />}>
            Previous
          </Button>
        )}
        {moreRecords && (
          <Button {...leadingTo(Number(pagination.offset))} rightSection={<IconChevronRight size={16} />}>
            Next
          </Button>
        )}
      </Group>
    </Group>
  );
}
