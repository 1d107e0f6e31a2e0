import type { ReactNode } from 'react';
import type { Schema } from '../api';
import { LoadingState, ProblemAlert } from '../feedback';
import { DataTable, type DataTableProps } from './data-table';
import { Pager } from './pager';
import { NewerRows, type News } from './use-still-list';

interface ListViewProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'goneIds'> {
  rows: readonly Row[] | undefined;
  /** The query that the rows are of. */
  list: {
    data: { pagination: Schema<'PaginationDto'> } | undefined;
    error: Error | null;
    refetch: () => Promise<unknown>;
    goneIds?: ReadonlySet<string> | undefined;
    news?: News;
  };
  /** Shown when there are no rows. */
  empty: ReactNode;
}

/** One page of a list: loading, failed, empty, or the table with what is newer and the ways to other pages. */
export function ListView<Row extends object>({ list, rows, empty, ...table }: ListViewProps<Row>) {
  const { data, error, refetch, news } = list;
  return (
    <>
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {rows === undefined && error === null && <LoadingState what={table.caption.toLowerCase()} />}
      {rows?.length === 0 && empty}
      {rows !== undefined && rows.length > 0 && (
        <>
          {news !== undefined && <NewerRows {...news} />}
          <DataTable {...table} rows={rows} goneIds={list.goneIds} />
        </>
      )}
      {rows !== undefined && data !== undefined && <Pager pagination={data.pagination} shown={rows.length} />}
    </>
  );
}
