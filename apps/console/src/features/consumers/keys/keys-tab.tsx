import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { answerOf, doneBy } from '../../../api/answer-of';
import { api } from '../../../api/client';
import type { Schema } from '../../../api/schema';
import { ConfirmDialog } from '../../../feedback/reason-dialog';
import { EmptyState } from '../../../feedback/empty-state';
import { LoadingState } from '../../../feedback/loading-state';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { SecretOnce } from '../../../feedback/secret-once';
import { MomentField } from '../../../formats/moment-field';
import { Time } from '../../../formats/time';
import { useMay } from '../../../session/use-may';
import { DataTable, type Column } from '../../../tables/data-table';
import { PAGE_SIZE, Pager, usePageOffset } from '../../../tables/pager';
import { fieldFaults } from '../consumer-form/field-faults';
import type { ConsumerTabProps } from '../consumer-tab';

type Key = Schema<'ApiKeyDto'>;

/** The keys that the customer's own software reads its notifications with. */
export function KeysTab({ consumer: { id, name } }: ConsumerTabProps) {
  const isOperator = useMay('operator');
  const client = useQueryClient();
  const offset = usePageOffset();
  const { data, error, refetch } = useQuery({
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
      { id: 'name', header: 'Name', cell: (key) => key.name },
      { id: 'created', header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      { id: 'expires', header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} absent="Never" /> },
      { id: 'revoked', header: 'Revoked', cell: ({ revokedAt }) => <Time at={revokedAt} absent="No" /> },
      ...(isOperator ? [{ id: 'actions', header: 'Actions', cell: revokeButton(setRevoked) }] : []),
    ],
    [isOperator],
  );
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
      {error !== null && (
        <ProblemAlert error={error} title="The keys cannot be read" onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <LoadingState what="the keys" />}
      {data?.apiKeys.length === 0 && (
        <EmptyState title="No keys">The customer needs none to receive notifications.</EmptyState>
      )}
      {data !== undefined && data.apiKeys.length > 0 && (
        <>
          <DataTable
            caption="Keys of this consumer"
            columns={columns}
            rows={data.apiKeys}
            rowId={(key) => key.id}
          />
          <Pager pagination={data.pagination} shown={data.apiKeys.length} />
        </>
      )}
      <CreateKeyDialog id={id} name={name} opened={isCreating} onClose={() => setIsCreating(false)} />
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

interface CreateKeyDialogProps {
  id: string;
  name: string;
  opened: boolean;
  onClose: () => void;
}

/** Creates a key for a consumer and shows it once. */
function CreateKeyDialog({ id, name, opened, onClose }: CreateKeyDialogProps) {
  const [key, setKey] = useState<string | null>(null);
  const close = (): void => {
    setKey(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`Create a key for ${name}`}
      closeOnClickOutside={false}
      closeOnEscape={key === null}
      withCloseButton={key === null}
    >
      {opened && key === null && <CreateKeyForm id={id} onCreated={setKey} />}
      {key !== null && (
        <Stack>
          <SecretOnce what="API key" value={key}>
            Copy it now and hand it to the customer over a secure channel.
          </SecretOnce>
          <Group justify="flex-end">
            <Button onClick={close}>I have stored the key. Done</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function CreateKeyForm({ id, onCreated }: { id: string; onCreated: (key: string) => void }) {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { name: '', expiresAt: '' },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name' : null) },
  });
  const creating = useMutation({
    mutationFn: ({ name, expiresAt }: { name: string; expiresAt: string }) =>
      answerOf(
        api.POST('/v1/consumers/{id}/keys', {
          params: { path: { id } },
          body: { name, ...(expiresAt === '' ? {} : { expiresAt }) },
        }),
      ),
    onSuccess: async ({ key }) => {
      onCreated(key);
      await client.invalidateQueries();
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => creating.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="Who uses the key; shown in the audit log"
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <MomentField
          label="Expires"
          description="Leave empty for a key that never expires"
          {...form.getInputProps('expiresAt')}
          value={form.getValues().expiresAt}
        />
        {creating.error !== null && <ProblemAlert error={creating.error} title="The key was not created" />}
        <Group justify="flex-end">
          <Button type="submit" loading={creating.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
