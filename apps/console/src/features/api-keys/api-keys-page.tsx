import { Stack, Text } from '@mantine/core';
import { IconBan, IconCircleCheck, IconClockExclamation, IconClockOff } from '@tabler/icons-react';
import { answerOf, api, doneBy, type Schema } from '../../api';
import { EmptyState } from '../../feedback';
import { type Look, TextLink, Time, ToneBadge, useNow } from '../../formats';
import { Page } from '../../page/page';
import { ROLES_IN_WORDS, useMe } from '../../signed-in/use-me';
import { type Column, type Filter, FilterBar, ListView, useListPage, useUrlFilters } from '../../tables';
import { CreateKey } from './create-key';
import { stateOf, type KeyState } from './key-state';
import { RevokeKey } from './revoke-key';

type ApiKey = Schema<'ApiKeyDto'>;

const NAMES = ['name'] as const;
const FILTERS: readonly Filter<'name'>[] = [
  { kind: 'text', name: 'name', label: 'Name', placeholder: 'part of a name' },
];

const COLUMNS: readonly Column<ApiKey>[] = [
  { header: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { header: 'Roles', cell: (key) => <Roles apiKey={key} /> },
  { header: 'State', cell: (key) => <State apiKey={key} /> },
  { header: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} absent="never" /> },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function ApiKeysPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(NAMES);
  const keys = useListPage(['api-keys', values], (page, signal) =>
    answerOf(api.GET('/v1/api-keys', { params: { query: { ...page, ...values } }, signal })),
  );
  return (
    <Page
      title="API keys"
      about="Access for programs, by the key itself, and for people, who sign in with it. Sign-in links and their sessions are on the tab Portal of their consumer."
      actions={
        <CreateKey
          title="Create an API key"
          hasRoles
          nameHint="A person or a program, as the audit log will name it. A producer’s keys share a name while one replaces the other."
          create={(key, roles) => answerOf(api.POST('/v1/api-keys', { body: { ...key, roles } }))}
        />
      }
    >
      <FilterBar filters={FILTERS} values={values} onSet={set} onClear={clear} />
      <ListView
        list={keys}
        rows={keys.data?.apiKeys}
        caption="API keys"
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowActions={(key) => <Revoke apiKey={key} />}
        empty={
          <EmptyState title={isFiltered ? 'No key matches' : 'No keys yet'}>
            {isFiltered ? 'Change or clear the filter.' : 'Create one for every person and every program.'}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** The roles of a key and their permissions; for a consumer's key, a link to the consumer. */
const Roles = ({ apiKey: { roles, consumerId } }: { apiKey: ApiKey }) => (
  <div>
    {roles.map((role) => (
      <Text key={role} size="sm" component="div">
        <strong>{role}</strong>: {ROLES_IN_WORDS[role]}
      </Text>
    ))}
    {consumerId !== null && (
      <TextLink to={`/consumers/${consumerId}`} size="sm">
        Its consumer
      </TextLink>
    )}
  </div>
);

const STATES: Readonly<Record<KeyState, Look & { verb: string }>> = {
  active: { label: 'Active', verb: 'expires', tone: 'good', icon: IconCircleCheck },
  'expires-soon': { label: 'Expires soon', verb: 'expires', tone: 'waiting', icon: IconClockExclamation },
  expired: { label: 'Expired', verb: '', tone: 'bad', icon: IconClockOff },
  revoked: { label: 'Revoked', verb: '', tone: 'quiet', icon: IconBan },
};

function State({ apiKey }: { apiKey: ApiKey }) {
  const look = STATES[stateOf(apiKey, useNow())];
  const since = apiKey.revokedAt ?? apiKey.expiresAt;
  if (since === null) return <ToneBadge {...look} label="Active, never expires" />;
  return (
    <Stack gap={2} align="flex-start">
      <ToneBadge {...look} />
      <span>
        {look.verb} <Time at={since} />
      </span>
    </Stack>
  );
}

function Revoke({ apiKey }: { apiKey: ApiKey }) {
  const { data: me } = useMe();
  if (!['active', 'expires-soon'].includes(stateOf(apiKey, useNow()))) return null;
  const own =
    me?.name === apiKey.name
      ? ' You are signed in as this name: if it is your own key, you are signed out.'
      : '';
  return (
    <RevokeKey
      apiKey={apiKey}
      effect={`The key is refused within 2 seconds, and everybody who signed in with it is signed out.${own}`}
      revoke={() => doneBy(api.DELETE('/v1/api-keys/{id}', { params: { path: { id: apiKey.id } } }))}
    />
  );
}
