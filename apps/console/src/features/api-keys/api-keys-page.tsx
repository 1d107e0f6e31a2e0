import { Anchor, Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconBan,
  IconCircleCheck,
  IconClockExclamation,
  IconClockOff,
  IconPlus,
  type Icon,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { answerOf, api, doneBy, type Schema } from '../../api';
import { ConfirmDialog } from '../../feedback/reason-dialog';
import { EmptyState } from '../../feedback/empty-state';
import { Time } from '../../formats/time';
import { ToneBadge, type Tone } from '../../formats/tone-badge';
import { useNow } from '../../formats/clock';
import { Page } from '../../layout/page';
import { ROLES_IN_WORDS, useMe } from '../../session/use-me';
import type { Column } from '../../tables/data-table';
import { FilterBar, type Filter } from '../../tables/filter-bar';
import { ListView } from '../../tables/list-view';
import { PAGE_SIZE, usePageOffset } from '../../tables/pager';
import { useUrlFilters } from '../../tables/use-url-filters';
import { CreateKeyDialog } from './create-key-dialog';
import { statusOf, type KeyStatus } from './key-status';

type ApiKey = Schema<'ApiKeyDto'>;

const API_KEYS = ['api-keys'];

const NAMES = ['name'] as const;
const FILTERS: readonly Filter<'name'>[] = [
  { kind: 'text', name: 'name', label: 'Name', placeholder: 'part of a name' },
];

export function ApiKeysPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(NAMES);
  const query = { offset: usePageOffset(), limit: PAGE_SIZE, ...values };
  const client = useQueryClient();
  const keys = useQuery({
    queryKey: [...API_KEYS, query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/api-keys', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  const create = async (body: Schema<'CreateApiKeyDto'>) => {
    const created = await answerOf(api.POST('/v1/api-keys', { body }));
    await client.invalidateQueries({ queryKey: API_KEYS });
    return created;
  };
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const columns = useMemo(() => columnsWith(setRevoked), []);
  return (
    <Page
      title="API keys"
      about="Access for programs, by the key itself, and for people, who sign in with it."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
          Create key
        </Button>
      }
    >
      <FilterBar filters={FILTERS} values={values} onSet={set} onClear={clear} />
      <ListView
        list={keys}
        rows={keys.data?.apiKeys}
        caption="API keys"
        columns={columns}
        rowId={({ id }) => id}
        empty={
          <EmptyState title={isFiltered ? 'No key matches' : 'No keys yet'}>
            {isFiltered ? 'Change or clear the filter.' : 'Create one for every person and every program.'}
          </EmptyState>
        }
      />
      <CreateKeyDialog
        opened={isCreating}
        onClose={() => setIsCreating(false)}
        title="Create an API key"
        hasRoles
        nameHint="A person or a program, as the audit log will name it. A producer’s keys share a name while one replaces the other."
        onCreate={create}
      />
      <RevokeDialog apiKey={revoked} onClose={() => setRevoked(null)} />
    </Page>
  );
}

const columnsWith = (onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] => [
  { header: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { header: 'Roles', cell: (key) => <Roles apiKey={key} /> },
  { header: 'Status', cell: (key) => <Status apiKey={key} /> },
  { header: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} absent="never" /> },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    header: 'Revoke',
    cell: (key) =>
      ['active', 'expires-soon'].includes(statusOf(key, Date.now())) && (
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

/** A key's roles and what each may do; of a consumer's key, whose it is. */
function Roles({ apiKey: { roles, consumerId } }: { apiKey: ApiKey }) {
  return (
    <div>
      {roles.map((role) => (
        <Text key={role} size="sm" component="div">
          <strong>{role}</strong>: {ROLES_IN_WORDS[role]}
        </Text>
      ))}
      {consumerId !== null && (
        <Anchor component={Link} to={`/consumers/${consumerId}`} size="sm">
          Its consumer
        </Anchor>
      )}
    </div>
  );
}

const STATUSES: Readonly<Record<KeyStatus, { label: string; at: string; tone: Tone; icon: Icon }>> = {
  active: { label: 'Active', at: 'expires', tone: 'good', icon: IconCircleCheck },
  'expires-soon': { label: 'Expires soon', at: 'expires', tone: 'waiting', icon: IconClockExclamation },
  expired: { label: 'Expired', at: '', tone: 'bad', icon: IconClockOff },
  revoked: { label: 'Revoked', at: '', tone: 'quiet', icon: IconBan },
};

function Status({ apiKey }: { apiKey: ApiKey }) {
  const { label, at, tone, icon } = STATUSES[statusOf(apiKey, useNow())];
  const since = apiKey.revokedAt ?? apiKey.expiresAt;
  return (
    <Stack gap={2} align="flex-start">
      <ToneBadge tone={tone} icon={icon}>
        {since === null ? 'Active, never expires' : label}
      </ToneBadge>
      {since !== null && (
        <span>
          {at} <Time at={since} />
        </span>
      )}
    </Stack>
  );
}

/** Asks before a key is revoked. `apiKey` null: closed. */
function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const { data: me } = useMe();
  const client = useQueryClient();
  const name = apiKey?.name ?? '';
  const onConfirm = async (): Promise<void> => {
    if (apiKey === null) return;
    await doneBy(api.DELETE('/v1/api-keys/{id}', { params: { path: { id: apiKey.id } } }));
    await client.invalidateQueries({ queryKey: API_KEYS });
    notifications.show({ color: 'green', title: 'Revoked', message: `The key “${name}” is refused now.` });
  };
  const own =
    me?.name === name ? ' You are signed in as this name: if it is your own key, you are signed out.' : '';
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      onClose={onClose}
      title={`Revoke “${name}”`}
      effect={`The key is refused within 2 seconds, and everybody who signed in with it is signed out.${own} This cannot be undone; a new key can be created.`}
      confirm="Revoke"
      onConfirm={onConfirm}
    />
  );
}
