import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerOf, api, doneBy, type Schema } from '../../../api';
import { EmptyState } from '../../../feedback';
import { Time } from '../../../formats';
import { useMay } from '../../../signed-in/use-me';
import { type Column, ListView, PAGE_SIZE, usePageOffset } from '../../../tables';
import { CreateKey } from '../../api-keys/create-key';
import { RevokeKey } from '../../api-keys/revoke-key';
import type { Consumer } from '../../../queries/use-consumers';

type Key = Schema<'ApiKeyDto'>;

/** The keys with which the customer's own software reads its notifications. */
export function KeysTab({ consumer: { id, name } }: { consumer: Consumer }) {
  const isOperator = useMay('operator');
  const query = { offset: usePageOffset(), limit: PAGE_SIZE };
  const keys = useQuery({
    queryKey: ['consumers', id, 'keys', query],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/consumers/{id}/keys', { params: { path: { id }, query }, signal })),
  });
  const columns = useMemo((): readonly Column<Key>[] => {
    const actions = (key: Key) =>
      key.revokedAt === null ? (
        <RevokeKey
          apiKey={key}
          effect="Requests with this key are refused within 2 seconds."
          revoke={() =>
            doneBy(api.DELETE('/v1/consumers/{id}/keys/{keyId}', { params: { path: { id, keyId: key.id } } }))
          }
        />
      ) : (
        '–'
      );
    return [
      { header: 'Name', cell: (key) => key.name },
      { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      { header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} absent="Never" /> },
      { header: 'Revoked', cell: ({ revokedAt }) => <Time at={revokedAt} absent="No" /> },
      ...(isOperator ? [{ header: 'Actions', cell: actions }] : []),
    ];
  }, [isOperator, id]);
  return (
    <Stack>
      <Text>
        With a key the customer’s software reads its own notifications of the last 90 days (GET
        /v1/notifications), e.g. to check after an outage that it missed none.
        {!isOperator && ' Creating and revoking keys needs the role operator.'}
      </Text>
      {isOperator && (
        <Group>
          <CreateKey
            title={`Create a key for ${name}`}
            hasRoles={false}
            nameHint="Who uses the key; shown in the audit log"
            create={({ name: keyName, expiresAt }) => {
              const body = { name: keyName, ...(expiresAt === undefined ? {} : { expiresAt }) };
              return answerOf(api.POST('/v1/consumers/{id}/keys', { params: { path: { id } }, body }));
            }}
          />
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
    </Stack>
  );
}
