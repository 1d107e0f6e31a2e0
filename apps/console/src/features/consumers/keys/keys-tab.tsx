import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { answerOf, api, doneBy, type Schema } from '../../../api';
import { ConfirmDialog } from '../../../feedback/reason-dialog';
import { EmptyState } from '../../../feedback/empty-state';
import { Time } from '../../../formats/time';
import { useMay } from '../../../session/use-me';
import type { Column } from '../../../tables/data-table';
import { ListView } from '../../../tables/list-view';
import { PAGE_SIZE, usePageOffset } from '../../../tables/pager';
import { CreateKeyDialog } from '../../api-keys/create-key-dialog';
import type { Consumer } from '../use-consumers';

type Key = Schema<'ApiKeyDto'>;

/** The keys that the customer's own software reads its notifications with. */
export function KeysTab({ consumer: { id, name } }: { consumer: Consumer }) {
  const isOperator = useMay('operator');
  const client = useQueryClient();
  const offset = usePageOffset();
  const keys = useQuery({
    queryKey: ['consumers', id, 'keys', offset],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/consumers/{id}/keys', {
          params: { path: { id }, query: { offset, limit: PAGE_SIZE } },
          signal,
        }),
      ),
  });
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<Key | null>(null);
  const columns = useMemo(
    (): readonly Column<Key>[] => [
      { header: 'Name', cell: (key) => key.name },
      { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      { header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} absent="Never" /> },
      { header: 'Revoked', cell: ({ revokedAt }) => <Time at={revokedAt} absent="No" /> },
      ...(isOperator ? [{ header: 'Actions', cell: revokeButton(setRevoked) }] : []),
    ],
    [isOperator],
  );
  const create = async ({ name: of, expiresAt }: Schema<'CreateApiKeyDto'>) => {
    const body = { name: of, ...(expiresAt === undefined ? {} : { expiresAt }) };
    const created = await answerOf(api.POST('/v1/consumers/{id}/keys', { params: { path: { id } }, body }));
    await client.invalidateQueries();
    return created;
  };
  const revoke = async (): Promise<void> => {
    if (revoked === null) return;
    const path = { id, keyId: revoked.id };
    await doneBy(api.DELETE('/v1/consumers/{id}/keys/{keyId}', { params: { path } }));
    notifications.show({ color: 'green', title: 'Revoked', message: `The key ${revoked.name} is revoked.` });
    await client.invalidateQueries();
  };
  return (
    <Stack>
      <Text>
        With a key the customer’s software reads its own notifications of the last 90 days (GET
        /v1/notifications), e.g. to check after an outage that it missed none.
        {!isOperator && ' Creating and revoking keys needs the role operator.'}
      </Text>
      {isOperator && (
        <Group>
          <Button onClick={() => setIsCreating(true)}>Create key</Button>
        </Group>
      )}
      <ListView
        list={keys}
        rows={keys.data?.apiKeys}
        caption="Keys of this consumer"
        columns={columns}
        rowId={(key) => key.id}
        empty={<EmptyState title="No keys">The customer needs none to receive notifications.</EmptyState>}
      />
      <CreateKeyDialog
        opened={isCreating}
        onClose={() => setIsCreating(false)}
        title={`Create a key for ${name}`}
        hasRoles={false}
        nameHint="Who uses the key; shown in the audit log"
        onCreate={create}
      />
      <ConfirmDialog
        opened={revoked !== null}
        onClose={() => setRevoked(null)}
        title={`Revoke ${revoked?.name ?? ''}`}
        effect="Requests with this key are refused from now on. This cannot be undone; create a new key instead."
        confirm="Revoke key"
        onConfirm={revoke}
      />
    </Stack>
  );
}

const revokeButton = (onRevoke: (key: Key) => void) => (key: Key) =>
  key.revokedAt === null ? (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Revoke ${key.name}`}
      onClick={() => onRevoke(key)}
    >
      Revoke
    </Button>
  ) : (
    '–'
  );
