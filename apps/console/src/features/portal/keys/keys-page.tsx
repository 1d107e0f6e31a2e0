import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf, api, doneBy, type Schema } from '../../../api';
import { EmptyState } from '../../../feedback';
import { Time } from '../../../formats';
import { Page } from '../../../page/page';
import { type Column, ListView, PAGE_SIZE, usePageOffset } from '../../../tables';
import { CreateKey } from '../../api-keys/create-key';
import { RevokeKey } from '../../api-keys/revoke-key';
import { OWN } from '../own-queries';

type Key = Schema<'PortalKeyDto'>;

const COLUMNS: readonly Column<Key>[] = [
  { header: 'Name', cell: ({ name, isSession }) => (isSession ? `${name} (signed in by a link)` : name) },
  { header: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} absent="Never" /> },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} absent="Never" /> },
  { header: 'Revoked', cell: ({ revokedAt }) => <Time at={revokedAt} absent="No" /> },
  { header: 'Actions', cell: (key) => <Revoke apiKey={key} /> },
];

/** The own API keys. */
export function PortalKeysPage() {
  const query = { offset: usePageOffset(), limit: PAGE_SIZE };
  const keys = useQuery({
    queryKey: [OWN, 'keys', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/portal/keys', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="API keys"
      about="With a key your software reads your notifications of the last 90 days (GET /v1/notifications) and uses this portal’s API; a person can sign in with it."
      actions={
        <CreateKey
          title="Create an API key"
          hasRoles={false}
          nameHint="Who uses the key: a person or a program"
          create={({ name, expiresAt }) =>
            answerOf(
              api.POST('/v1/portal/keys', {
                body: { name, ...(expiresAt === undefined ? {} : { expiresAt }) },
              }),
            )
          }
        />
      }
    >
      <ListView
        list={keys}
        rows={keys.data?.keys}
        caption="API keys"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty={<EmptyState title="No keys">You need none to receive notifications.</EmptyState>}
      />
    </Page>
  );
}

function Revoke({ apiKey }: { apiKey: Key }) {
  if (apiKey.revokedAt !== null) return '–';
  return (
    <RevokeKey
      apiKey={apiKey}
      effect="Requests with this key are refused within 2 seconds, and everybody who signed in with it is signed out."
      revoke={() => doneBy(api.DELETE('/v1/portal/keys/{id}', { params: { path: { id: apiKey.id } } }))}
    />
  );
}
