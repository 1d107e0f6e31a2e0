import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Time } from '../../formats/time';
import { Page } from '../../layout/page';
import { useMay } from '../../session/use-may';
import { DataTable, type Column } from '../../tables/data-table';
import { PAGE_SIZE, Pager } from '../../tables/pager';
import { usePageOffset } from '../../tables/use-page-offset';
import { BulkProgress } from './bulk-progress';
import { BulkStateBadge } from './bulk-state-badge';
import { BULK_KINDS, type BulkAction } from './bulk-words';
import { FilterInWords } from './filter-in-words';
import { StopBulkAction } from './stop-bulk-action';
import { useBulkActions } from './use-bulk-actions';

const COLUMNS: readonly Column<BulkAction>[] = [
  { id: 'action', header: 'Action', cell: ({ action }) => BULK_KINDS[action].verb },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, lastFault }) => (
      <>
        <BulkStateBadge state={state} />
        {lastFault !== null && <Text size="sm">{lastFault} Open it for what to do.</Text>}
      </>
    ),
  },
  { id: 'filter', header: 'Of which deliveries', cell: ({ filter }) => <FilterInWords filter={filter} /> },
  { id: 'progress', header: 'Progress', cell: (action) => <BulkProgress action={action} /> },
  { id: 'who', header: 'Who', cell: ({ createdBy }) => createdBy },
  { id: 'why', header: 'Why', cell: ({ reason }) => reason },
  { id: 'when', header: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
];
const WITH_STOP: readonly Column<BulkAction>[] = [
  ...COLUMNS,
  { id: 'stop', header: 'Stop', cell: (action) => <StopBulkAction action={action} /> },
];

export function BulkActionsPage() {
  const mayStop = useMay('oncall');
  const { data, error, refetch } = useBulkActions({ offset: usePageOffset(), limit: PAGE_SIZE });
  return (
    <Page
      title="Bulk actions"
      about="What was done to many deliveries at once, the newest first. They run by themselves and survive a restart."
    >
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState what="bulk actions" />}
      {data?.bulkActions.length === 0 && (
        <EmptyState title="No bulk actions yet">
          One begins at the{' '}
          <Anchor component={Link} to="/deliveries?state=dead" underline="always">
            deliveries
          </Anchor>
          : filter the list, then choose “Replay”, “Retry” or “Cancel” above it. That needs the role oncall.
        </EmptyState>
      )}
      {data !== undefined && data.bulkActions.length > 0 && (
        <DataTable
          caption="Bulk actions"
          columns={mayStop ? WITH_STOP : COLUMNS}
          rows={data.bulkActions}
          rowId={({ id }) => id}
          rowLink={({ id }) => `/bulk-actions/${id}`}
        />
      )}
      {data !== undefined && <Pager pagination={data.pagination} shown={data.bulkActions.length} />}
    </Page>
  );
}
