import { Text } from '@mantine/core';
import { EmptyState } from '../../feedback';
import { TextLink, Time } from '../../formats';
import { Page } from '../../page/page';
import { type Column, ListView, PAGE_SIZE, usePageOffset } from '../../tables';
import { BulkProgress, BulkStateBadge, StopBulkAction } from './bulk-progress';
import { useBulkActions } from './bulk-queries';
import { BULK_KINDS, type BulkAction } from './bulk-words';
import { FilterInWords } from './filter-in-words';

const COLUMNS: readonly Column<BulkAction>[] = [
  { header: 'Action', cell: ({ action }) => BULK_KINDS[action].verb },
  {
    header: 'State',
    cell: ({ state, lastFault }) => (
      <>
        <BulkStateBadge state={state} />
        {lastFault !== null && <Text size="sm">{lastFault} Open it for what to do.</Text>}
      </>
    ),
  },
  { header: 'Selected deliveries', cell: ({ filter }) => <FilterInWords filter={filter} /> },
  {
    header: 'Progress',
    cell: (action) => (
      <>
        <BulkProgress action={action} />
        <StopBulkAction action={action} />
      </>
    ),
  },
  { header: 'Started by', cell: ({ createdBy }) => createdBy },
  { header: 'Reason', cell: ({ reason }) => reason },
  { header: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function BulkActionsPage() {
  const list = useBulkActions({ offset: usePageOffset(), limit: PAGE_SIZE });
  return (
    <Page
      title="Bulk actions"
      about="Actions on many deliveries at once, newest first. They continue in the background, also after a restart."
    >
      <ListView
        list={list}
        caption="Bulk actions"
        columns={COLUMNS}
        rows={list.data?.bulkActions}
        rowId={({ id }) => id}
        rowLink={({ id }) => `/bulk-actions/${id}`}
        empty={
          <EmptyState title="No bulk actions yet">
            Start one from the <TextLink to="/deliveries?state=dead">deliveries</TextLink>: filter the list,
            then choose “Replay”, “Retry”, “Cancel” or “Settle” above it. Requires the role oncall.
          </EmptyState>
        }
      />
    </Page>
  );
}
