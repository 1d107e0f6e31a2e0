import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, doneBy } from '../../../api/answer-of';
import { api } from '../../../api/client';
import type { Schema } from '../../../api/schema';
import { ConfirmDialog } from '../../../feedback/confirm-dialog';
import { ReasonDialog } from '../../../feedback/reason-dialog';
import type { Consumer } from '../use-all-consumers';

interface VersionActionsProps {
  consumer: Consumer;
  version: Schema<'CredentialVersionDto'>;
}

/** Puts a coming version into force now, goes back to a former one, or drops a coming one. */
export function VersionActions({ consumer, version: { version, state } }: VersionActionsProps) {
  const client = useQueryClient();
  const [open, setOpen] = useState<'activate' | 'drop' | null>(null);
  const params = { path: { id: consumer.id, version } };
  const close = (): void => setOpen(null);
  const tell = async (title: string): Promise<void> => {
    notifications.show({ color: 'green', title, message: `Version ${String(version)} of ${consumer.name}.` });
    await client.invalidateQueries();
  };
  const activate = async (reason: string): Promise<void> => {
    const path = '/v1/consumers/{id}/credentials/{version}/activate';
    await answerOf(api.POST(path, { params, body: { reason } }));
    await tell('In force now');
  };
  const drop = async (): Promise<void> => {
    await doneBy(api.DELETE('/v1/consumers/{id}/credentials/{version}', { params }));
    await tell('Dropped');
  };
  if (state === 'current') return '–';
  const verb = state === 'coming' ? 'Activate now' : 'Go back to it';
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => setOpen('activate')}
        aria-label={`${verb}: version ${String(version)}`}
      >
        {verb}
      </Button>
      {state === 'coming' && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => setOpen('drop')}
          aria-label={`Drop version ${String(version)}`}
        >
          Drop
        </Button>
      )}
      <ReasonDialog
        opened={open === 'activate'}
        onClose={close}
        title={`${verb}: version ${String(version)}`}
        effect="Every attempt from this moment on is signed and authorised with this version, also of deliveries that already wait. The customer must be ready for it. The version in force now becomes a former one; you can go back to it."
        confirm={verb}
        onConfirm={activate}
      />
      <ConfirmDialog
        opened={open === 'drop'}
        onClose={close}
        title={`Drop version ${String(version)}`}
        effect="It never comes into force, and its values are gone. What is in force now stays so. Tell the customer not to change over."
        confirm="Drop it"
        onConfirm={drop}
      />
    </Group>
  );
}
