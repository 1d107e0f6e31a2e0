import { Button, Group, Text } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { Schema } from '../api';
import { PAGE_SIZE } from './pager';

interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly pagination: Schema<'PaginationDto'>;
}

interface StableListOptions<Query, Row> {
  /** The beginning of the query keys; invalidating it updates the rows in place. */
  key: QueryKey;
  query: Query;
  /** Reads a page of the list, newest first by `atOf`. */
  read: (query: Query, signal: AbortSignal) => Promise<ListPage<Row>>;
  idOf: (row: Row) => string;
  atOf: (row: Row) => string;
  /** False where a row never changes. */
  rowsChange?: boolean;
}

const ASK_WHILE_EMPTY_MS = 4_000;

/**
 * A page of a list whose rows keep their places: they change in place, and newer rows are counted and shown on request.
 * A row that no longer matches stays, and is named in `goneIds`.
 */
export function useStableList<
  Query extends { offset?: number; limit?: number; from?: string; to?: string },
  Row,
>({ key, query, read, idOf, atOf, rowsChange = true }: StableListOptions<Query, Row>) {
  const client = useQueryClient();
  // Not under `key`: invalidating that must not move the rows.
  const pageKey = ['page', ...key, query];
  const page = useQuery({
    queryKey: pageKey,
    queryFn: async ({ signal }) => {
      const answer = await read(query, signal);
      const first = answer.rows[0];
      return { ...answer, firstAt: first === undefined ? null : atOf(first) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.rows.length ?? 0) === 0 ? ASK_WHILE_EMPTY_MS : false),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const firstAt = page.isPlaceholderData ? null : (page.data?.firstAt ?? null);
  const since = useQuery({
    queryKey: [...key, 'since', query, firstAt],
    enabled: firstAt !== null,
    queryFn: async ({ signal }) => {
      const from = firstAt ?? '';
      const justAfter = new Date(Date.parse(from) + 1).toISOString();
      const to = query.to !== undefined && query.to < justAfter ? query.to : justAfter;
      const [again, newest] = await Promise.all([
        rowsChange ? read({ ...query, offset: 0, limit: 2 * PAGE_SIZE, to }, signal) : null,
        (query.offset ?? 0) === 0 ? read({ ...query, from }, signal) : null,
      ]);
      const [stillThere, newer] = [again?.rows ?? [], newest?.rows ?? []];
      const latest = new Map([...stillThere, ...newer].map((row) => [idOf(row), row]));
      const shown = client.getQueryData<NonNullable<typeof page.data>>(pageKey);
      if (shown === undefined) return { newer: 0, goneIds: new Set<string>() };
      const ids = new Set(shown.rows.map(idOf));
      if (again !== null)
        client.setQueryData(pageKey, {
          ...shown,
          rows: shown.rows.map((row) => latest.get(idOf(row)) ?? row),
        });
      return {
        newer: newer.filter((row) => !ids.has(idOf(row))).length,
        goneIds: new Set(again === null ? [] : [...ids].filter((id) => !latest.has(id))),
      };
    },
  });
  return {
    data: page.data,
    error: page.error ?? since.error,
    isPlaceholderData: page.isPlaceholderData,
    goneIds: since.data?.goneIds,
    refetch: () => Promise.all([page.refetch(), since.refetch()]),
    news: {
      newer: since.data?.newer ?? 0,
      gone: since.data?.goneIds.size ?? 0,
      isLoading: page.isFetching,
      show: () => void page.refetch(),
    },
  };
}

export type News = ReturnType<typeof useStableList>['news'];

/** Above the list, of constant height: the number of newer rows, and the button that shows them. */
export function NewerRows({ newer, gone, isLoading, show }: News) {
  return (
    <Group h={28} my={-10} gap="sm" role="status">
      {newer + gone > 0 && (
        <Button size="compact-sm" loading={isLoading} leftSection={<IconArrowUp size={16} />} onClick={show}>
          {newer > 0
            ? `${newer >= PAGE_SIZE ? `${String(newer)} or more` : String(newer)} newer: show`
            : 'Refresh'}
        </Button>
      )}
      {gone > 0 && (
        <Text size="sm">
          {gone} crossed out: no longer {gone === 1 ? 'matches' : 'match'}
        </Text>
      )}
    </Group>
  );
}
