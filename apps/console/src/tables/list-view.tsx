import type { ReactNode } from 'react';
import type { Schema } from '../api';
import { LoadingState, ProblemAlert } from '../feedback';
import { DataTable } from './data-table';
import type { DataTableProps } from './data-table-props';
import { Pager } from './pager';
import { NewerRows, type News } from './use-stable-list';

interface ListPageProps {
  /** The query of the page. */
  list: {
    data: { pagination: Schema<'PaginationDto'> } | undefined;
    error: Error | null;
    refetch: () => Promise<unknown>;
    goneIds?: ReadonlySet<string> | undefined;
    news?: News;
  };
  rows: readonly unknown[] | undefined;
  /** The name of the list, for the loading state. */
  what: string;
  /** Shown when there are no rows. */
  empty: ReactNode;
  /** The rows. */
  children: ReactNode;
}

/** One page of a list: loading, failed, empty, or the rows with newer ones and the links to other pages. */
export function ListPage({ list, rows, what, empty, children }: ListPageProps) {
  const { data, error, refetch, news } = list;
  return (
    <>
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {rows === undefined && error === null && <LoadingState what={what} />}
      {rows?.length === 0 && empty}
      {rows !== undefined && rows.length > 0 && (
        <>
          {news !== undefined && <NewerRows {...news} />}
          {children}
        </>
      )}
      {rows !== undefined && data !== undefined && <Pager pagination={data.pagination} shown={rows.length} />}
    </>
  );
}

export type ListViewProps<Row> = Omit<DataTableProps<Row>, 'rows' | 'goneIds'> &
  Pick<ListPageProps, 'list' | 'empty'> & { rows: readonly Row[] | undefined };

/** One page of a list as a table. */
export const ListView = <Row extends object>({ list, rows, empty, ...table }: ListViewProps<Row>) => (
  <ListPage list={list} rows={rows} what={table.caption.toLowerCase()} empty={empty}>
    <DataTable {...table} rows={rows ?? []} goneIds={list.goneIds} />
  </ListPage>
);
