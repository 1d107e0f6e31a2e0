import { useMemo } from 'react';
import type { Schema } from '../../api/schema';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { EVENT_TYPES, paymentPath } from '../../formats/event-types';
import { Time } from '../../formats/time';
import { useMay } from '../../session/use-may';
import { DataTable, type Column } from '../../tables/data-table';
import { FilterBar, type Filter } from '../../tables/filter-bar';
import { PAGE_SIZE, Pager, usePageOffset } from '../../tables/pager';
import { NewerRows } from '../../tables/use-still-list';
import { useUrlFilters } from '../../tables/use-url-filters';
import { useAllConsumers } from '../consumers/use-all-consumers';
import { RecipientsInWords } from './recipients';
import { useTransactions } from './use-transactions';

type Transaction = Schema<'TransactionDto'>;

const COLUMNS: readonly Column<Transaction>[] = [
  { id: 'id', header: 'Payment', cell: ({ paymentId }) => paymentId },
  { id: 'kind', header: 'Kind', cell: (row) => EVENT_TYPES[`${row.kind}.status`].label },
  { id: 'status', header: 'Newest status', cell: ({ newestStatus }) => newestStatus ?? 'none' },
  { id: 'count', header: 'Statuses', cell: ({ statusCount }) => statusCount },
  {
    id: 'consumers',
    header: 'Consumers',
    cell: ({ recipients }) => <RecipientsInWords recipients={recipients} />,
  },
  { id: 'updated', header: 'Accepted', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

const NAMES = ['kind', 'status', 'consumerId', 'from', 'to'] as const;

/** Payments with the newest status first, narrowed by what is in the URL. */
export function NewestPayments() {
  const isViewer = useMay('viewer');
  const { data: consumers } = useAllConsumers({ isWanted: isViewer, forNames: true });
  const { values, set, clear, isFiltered } = useUrlFilters(NAMES);
  const offset = usePageOffset();
  const { kind, ...others } = values;
  const { data, error, refetch, goneIds, news } = useTransactions({
    offset,
    limit: PAGE_SIZE,
    ...others,
    ...(kind === 'ach' || kind === 'wire' ? { kind } : {}),
  });

  const filters = useMemo((): readonly Filter<(typeof NAMES)[number]>[] => {
    const choices = (consumers ?? []).map(({ id, name }) => ({ value: id, label: name }));
    return [
      {
        kind: 'choice',
        name: 'kind',
        label: 'Kind',
        choices: [
          { value: 'ach', label: 'ACH' },
          { value: 'wire', label: 'Wire' },
        ],
      },
      { kind: 'text', name: 'status', label: 'Newest status', placeholder: 'exact match' },
      ...(choices.length > 0
        ? [{ kind: 'choice', name: 'consumerId', label: 'Consumer', choices, isOpen: true } as const]
        : []),
      { kind: 'moment', name: 'from', label: 'Newest status from' },
      { kind: 'moment', name: 'to', label: 'Newest status before' },
    ];
  }, [consumers]);

  return (
    <>
      <FilterBar filters={filters} values={values} onSet={set} onClear={clear} />
      {error !== null && (
        <ProblemAlert error={error} title="The list cannot be read" onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <LoadingState what="payments" />}
      {data?.rows.length === 0 && (
        <EmptyState title={isFiltered ? 'No payment matches' : 'No payments yet'}>
          {isFiltered
            ? 'Change or clear the filters.'
            : 'They appear here as soon as a first status change is accepted.'}
        </EmptyState>
      )}
      {data !== undefined && data.rows.length > 0 && (
        <>
          <NewerRows {...news} />
          <DataTable
            caption="Newest payments"
            columns={COLUMNS}
            rows={data.rows}
            rowId={(row) => `${row.kind} ${row.paymentId}`}
            rowLink={(row) => paymentPath(`${row.kind}.status`, row.paymentId)}
            goneIds={goneIds}
          />
        </>
      )}
      {data !== undefined && <Pager pagination={data.pagination} shown={data.rows.length} />}
    </>
  );
}
