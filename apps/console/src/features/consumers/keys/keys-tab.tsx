import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { doneBy } from '../../../api/answer-of';
import { api } from '../../../api/client';
import type { Schema } from '../../../api/schema';
import { ConfirmDialog } from '../../../feedback/confirm-dialog';
import { EmptyState } from '../../../feedback/empty-state';
import { LoadingState } from '../../../feedback/loading-state';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { Time } from '../../../formats/time';
import { useMay } from '../../../session/use-may';
import { DataTable, type Column } from '../../../tables/data-table';
import { PAGE_SIZE, Pager } from '../../../tables/pager';
import { usePageOffset } from '../../../tables/use-page-offset';
import type { ConsumerTabProps } from '../consumer-tab';
import { CreateKeyDialog } from './create-key-dialog';
import { useConsumerKeys } from './use-consumer-keys';

type Key = Schema<'ApiKeyDto'>;

/** The keys that the customer's own software reads its notifications with. */
export function KeysTab({ consumer }: ConsumerTabProps) {
  const isOperator = useMay('operator');
  const client = useQueryClient();
  const { data, error, refetch } = useConsumerKeys(consumer.id, usePageOffset(), PAGE_SIZE);
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<Key | null>(null);
  const columns = useMemo(
    (): readonly Column<Key>[] => [
      { id: 'name', header: 'Name', cell: ({ name }) => name },
      { id: 'created', header: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
      { id: 'expires', header: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} absent="never" /> },
      { id: 'revoked', header: 'Revoked', cell: ({ revokedAt }) => <Time at={revokedAt} absent="no" /> },
      ...(isOperator
        ? [
            {
              id: 'do',
              header: 'What to do',
              cell: (key: Key) =>
                key.revokedAt === null ? (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Revoke ${key.name}`}
                    onClick={() => setRevoked(key)}
                  >
                    Revoke
                  </Button>
                ) : (
                  '–'
                ),
            },
          ]
        : []),
    ],
    [isOperator],
  );
  const revoke = async (): Promise<void> => {
    if (revoked === null) return;
    const path = { id: consumer.id, keyId: revoked.id };
    await doneBy(api.DELETE('/v1/consumers/{id}/keys/{keyId}', { params: { path } }));
    notifications.show({ color: 'green', title: 'Revoked', message: `The key ${revoked.name} has ended.` });
    await client.invalidateQueries();
  };
  return (
    <Stack>
      <Text>
        With such a key the customer’s software reads its own notifications of the last 90 days (GET
        /v1/notifications), and nothing else: after an outage it can prove for itself that it missed nothing.
        {!isOperator && ' An operator can make and revoke them.'}
      </Text>
      {isOperator && (
        <Group>
          <Button onClick={() => setIsCreating(true)}>Make a key</Button>
        </Group>
      )}
      {error !== null && (
        <ProblemAlert error={error} title="The keys cannot be read" onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <LoadingState what="the keys" />}
      {data?.apiKeys.length === 0 && (
        <EmptyState title="No keys">It needs none to be notified; one is for looking back.</EmptyState>
      )}
      {data !== undefined && data.apiKeys.length > 0 && (
        <>
          <DataTable
            caption="Keys of this consumer"
            columns={columns}
            rows={data.apiKeys}
            rowId={({ id }) => id}
          />
          <Pager pagination={data.pagination} shown={data.apiKeys.length} />
        </>
      )}
      <CreateKeyDialog consumer={consumer} opened={isCreating} onClose={() => setIsCreating(false)} />
      <ConfirmDialog
        opened={revoked !== null}
        onClose={() => setRevoked(null)}
        title={`Revoke ${revoked?.name ?? ''}`}
        effect="Whoever uses it is refused from now on. This cannot be undone; a new key can be made."
        confirm="Revoke it"
        onConfirm={revoke}
      />
    </Stack>
  );
}
