import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, doneBy, type Schema } from '../../../api';
import { useCommand } from '../../../feedback';
import { Time } from '../../../formats';
import { Page } from '../../../page/page';
import type { Column } from '../../../tables';
import { ownRotationOf } from '../../consumers/credentials/credential-parts';
import { RotationDialog } from '../../consumers/credentials/rotate-dialog';
import { Versions } from '../../consumers/credentials/versions';
import { OwnTest } from '../endpoint/own-test';
import { useOwnCredentials } from '../own-queries';

const COLUMNS: readonly Column<Schema<'PortalCredentialVersionDto'>>[] = [
  { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** Versions of the own signing secret, user name and password, and their rotation. */
export function PortalCredentialsPage() {
  const query = useOwnCredentials();
  const [open, setOpen] = useState<'rotate' | 'test' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Page
      title="Credentials"
      about="Signing secret, user name and password of the notifications to you. Values are never shown again."
      actions={<Button onClick={() => setOpen('rotate')}>Rotate credentials</Button>}
    >
      <Text>
        Agree on a time, test the scheduled version before, and change over then. Deliveries that wait are
        sent with the version that is current when they are sent.
      </Text>
      {query.data?.some(({ state }) => state === 'coming') === true && (
        <Group>
          <Button variant="default" onClick={() => setOpen('test')}>
            Test the scheduled version
          </Button>
        </Group>
      )}
      <Versions query={query} columns={COLUMNS} commands={useVersionCommands()} />
      <RotationDialog
        opened={open === 'rotate'}
        onClose={close}
        title="Rotate the credentials"
        kind="own"
        handOver="Copy it now into your system."
        whenReady="When your system has it,"
        add={(rotation) => answerOf(api.POST('/v1/portal/credentials', { body: ownRotationOf(rotation) }))}
        test={(credentials) => <OwnTest credentials={credentials} />}
      />
      <Modal opened={open === 'test'} onClose={close} size="lg" title="Test the scheduled version">
        {open === 'test' && <OwnTest credentials="next" />}
      </Modal>
    </Page>
  );
}

function useVersionCommands() {
  const run = useCommand();
  return {
    ready: 'Your system must accept it.',
    isOptional: true,
    activate: (version: number, reason: string) => {
      const body = reason === '' ? {} : { reason };
      const path = '/v1/portal/credentials/{version}/activate';
      const activating = answerOf(api.POST(path, { params: { path: { version } }, body }));
      return run(activating, 'Activated', `It is version ${String(version)}.`);
    },
    remove: (version: number) => {
      const removing = api.DELETE('/v1/portal/credentials/{version}', { params: { path: { version } } });
      return run(doneBy(removing), 'Deleted', `It was version ${String(version)}.`);
    },
  };
}
