import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Time } from '../../formats/time';
import { Page } from '../../layout/page';
import { DataTable, type Column } from '../../tables/data-table';
import { FilterBar, type Filter } from '../../tables/filter-bar';
import { PAGE_SIZE, Pager } from '../../tables/pager';
import { usePageOffset } from '../../tables/use-page-offset';
import { useUrlFilters } from '../../tables/use-url-filters';
import { CreateKeyDialog } from './create-key-dialog';
import { KeyBadge } from './key-badge';
import { isTaken, standingOf } from './key-standing';
import { RevokeDialog } from './revoke-dialog';
import { RolesCell } from './roles-cell';
import { useApiKeys, type ApiKey } from './use-api-keys';

const NAMES = ['name'] as const;
const FILTERS: readonly Filter<'name'>[] = [
  { kind: 'text', name: 'name', label: 'Name', placeholder: 'a part of it' },
];

export function ApiKeysPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(NAMES);
  const { data, error, refetch } = useApiKeys({ offset: usePageOffset(), limit: PAGE_SIZE, ...values });
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const columns = useMemo(() => columnsWith(setRevoked), []);
  return (
    <Page
      title="API keys"
      about="Who gets in, and what they may do: programs with the key itself, people by signing in with it."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
          Make a key
        </Button>
      }
    >
      <FilterBar filters={FILTERS} values={values} onSet={set} onClear={clear} />
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState what="the keys" />}
      {data?.apiKeys.length === 0 && (
        <EmptyState title={isFiltered ? 'No key has this in its name' : 'No keys yet'}>
          {isFiltered ? 'Change or clear the filter.' : 'Make one for every person and every program.'}
        </EmptyState>
      )}
      {data !== undefined && data.apiKeys.length > 0 && (
        <DataTable caption="API keys" columns={columns} rows={data.apiKeys} rowId={({ id }) => id} />
      )}
      {data !== undefined && <Pager pagination={data.pagination} shown={data.apiKeys.length} />}
      <CreateKeyDialog opened={isCreating} onClose={() => setIsCreating(false)} />
      <RevokeDialog apiKey={revoked} onClose={() => setRevoked(null)} />
    </Page>
  );
}

const columnsWith = (onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => (
      <Text span inherit fw={600}>
        {name}
      </Text>
    ),
  },
  { id: 'may', header: 'May', cell: (key) => <RolesCell apiKey={key} /> },
  { id: 'standing', header: 'Standing', cell: (key) => <KeyBadge apiKey={key} /> },
  { id: 'made', header: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'revoke',
    header: 'Revoke',
    cell: (key) =>
      isTaken(standingOf(key, Date.now())) && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Revoke ${key.name}`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </Button>
      ),
  },
];
