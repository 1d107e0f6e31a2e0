import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, doneBy, type Schema } from '../../../api';
import { ConfirmDialog, QueryState, ReasonDialog, useCommand } from '../../../feedback';
import { Time, ToneBadge } from '../../../formats';
import { Page } from '../../../page/page';
import { type Column, DataTable } from '../../../tables';
import { ownRotationOf } from '../../consumers/credentials/credential-parts';
import { VERSION_STATES } from '../../consumers/credentials/credentials-tab';
import { RotationDialog } from '../../consumers/credentials/rotate-dialog';
import { OwnTest } from '../endpoint/own-test';
import { useOwnCredentials } from '../own-queries';

type Version = Schema<'PortalCredentialVersionDto'>;

const COLUMNS: readonly Column<Version>[] = [
  { header: 'Version', cell: ({ version }) => `Version ${String(version)}` },
  { header: 'Status', cell: ({ state }) => <ToneBadge {...VERSION_STATES[state]} /> },
  { header: 'Effective from', cell: ({ activateAt }) => <Time at={activateAt} /> },
  { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { header: 'Actions', cell: (version) => <VersionActions version={version} /> },
];

/** Versions of the own signing secret, user name and password, and their rotation. */
export function PortalCredentialsPage() {
  const query = useOwnCredentials();
  const { data } = query;
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
      {data?.some(({ state }) => state === 'coming') === true && (
        <Group>
          <Button variant="default" onClick={() => setOpen('test')}>
            Test the scheduled version
          </Button>
        </Group>
      )}
      <QueryState query={query} what="versions" />
      {data !== undefined && (
        <DataTable
          caption="Versions of the credentials"
          columns={COLUMNS}
          rows={data}
          rowId={({ version }) => String(version)}
        />
      )}
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

/** Activates a scheduled or a former version now, or deletes a scheduled one. */
function VersionActions({ version: { version, state } }: { version: Version }) {
  const run = useCommand();
  const [open, setOpen] = useState<'activate' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  if (state === 'current') return '–';
  const params = { path: { version } };
  const name = `version ${String(version)}`;
  const verb = state === 'coming' ? 'Activate now' : 'Go back to it';
  const small = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <Group gap="xs">
      <Button {...small} onClick={() => setOpen('activate')} aria-label={`${verb}: ${name}`}>
        {verb}
      </Button>
      {state === 'coming' && (
        <Button {...small} onClick={() => setOpen('delete')} aria-label={`Delete ${name}`}>
          Delete
        </Button>
      )}
      <ReasonDialog
        opened={open === 'activate'}
        onClose={close}
        title={`${verb}: ${name}`}
        effect="Every attempt from now on uses this version, including deliveries that already wait. Your system must accept it. The current version is kept; you can go back to it."
        confirm={verb}
        isOptional
        onConfirm={(reason) =>
          run(
            answerOf(
              api.POST('/v1/portal/credentials/{version}/activate', {
                params,
                body: reason === '' ? {} : { reason },
              }),
            ),
            'Activated',
            `It is ${name}.`,
          )
        }
      />
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={close}
        title={`Delete ${name}`}
        effect="It will not be used, and its values are deleted. The current version stays."
        confirm="Delete version"
        onConfirm={() =>
          run(
            doneBy(api.DELETE('/v1/portal/credentials/{version}', { params })),
            'Deleted',
            `It was ${name}.`,
          )
        }
      />
    </Group>
  );
}
