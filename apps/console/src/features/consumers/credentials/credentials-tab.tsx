import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconClock, IconHistory } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { answerOf, api, doneBy, type Schema } from '../../../api';
import { ConfirmDialog, QueryState, ReasonDialog, useCommand } from '../../../feedback';
import { type Look, Time, ToneBadge } from '../../../formats';
import { useMay } from '../../../signed-in/use-me';
import { type Column, DataTable } from '../../../tables';
import { TestDialog } from '../test-delivery/test-dialog';
import { useCredentials, type Consumer } from '../../../queries/use-consumers';
import { RotateDialog } from './rotate-dialog';

type Version = Schema<'CredentialVersionDto'>;

/** The state of a version. */
export const VERSION_STATES: Readonly<Record<Version['state'], Look & { hint: string }>> = {
  current: { label: 'Current', hint: 'Used by every attempt', tone: 'good', icon: IconCircleCheck },
  coming: { label: 'Scheduled', hint: 'Used from its time on', tone: 'busy', icon: IconClock },
  former: { label: 'Former', hint: 'Was current, and can be again', tone: 'quiet', icon: IconHistory },
};

/** Versions of signing secret, user name, password and client certificate; an operator rotates them. */
export function CredentialsTab({ consumer }: { consumer: Consumer }) {
  const isOperator = useMay('operator');
  const isOnCall = useMay('oncall');
  const query = useCredentials(consumer.id);
  const { data } = query;
  const [open, setOpen] = useState<'rotate' | 'test' | null>(null);
  const columns = useMemo(
    (): readonly Column<Version>[] => [
      { header: 'Version', cell: ({ version }) => `Version ${String(version)}` },
      { header: 'Status', cell: ({ state }) => <ToneBadge {...VERSION_STATES[state]} /> },
      { header: 'Effective from', cell: ({ activateAt }) => <Time at={activateAt} /> },
      { header: 'Client certificate', cell: ({ clientCertificates: [own] }) => own?.subject ?? 'None' },
      { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
      { header: 'Added by', cell: ({ createdBy }) => createdBy ?? 'Unknown' },
      ...(isOperator
        ? [
            {
              header: 'Actions',
              cell: (version: Version) => <VersionActions consumer={consumer} version={version} />,
            },
          ]
        : []),
    ],
    [isOperator, consumer],
  );
  return (
    <Stack>
      <Text>
        A version consists of signing secret, user name, password and client certificate. Values are never
        shown again. From its effective time on a version is used for every attempt, including deliveries that
        already wait.{!isOperator && ' Rotating needs the role operator.'}
      </Text>
      <Group>
        {isOperator && <Button onClick={() => setOpen('rotate')}>Rotate credentials</Button>}
        {isOnCall && data?.some(({ state }) => state === 'coming') === true && (
          <Button variant="default" onClick={() => setOpen('test')}>
            Test the scheduled version
          </Button>
        )}
      </Group>
      <QueryState query={query} what="versions" />
      {data !== undefined && (
        <DataTable
          caption="Versions of the credentials"
          columns={columns}
          rows={data}
          rowId={({ version }) => String(version)}
        />
      )}
      <RotateDialog consumer={consumer} opened={open === 'rotate'} onClose={() => setOpen(null)} />
      <TestDialog
        consumer={consumer}
        credentials="next"
        opened={open === 'test'}
        onClose={() => setOpen(null)}
      />
    </Stack>
  );
}

/** Activates a scheduled or a former version now, or deletes a scheduled one. */
function VersionActions(props: { consumer: Consumer; version: Version }) {
  const { id, name } = props.consumer;
  const { version, state } = props.version;
  const run = useCommand();
  const [open, setOpen] = useState<'activate' | 'delete' | null>(null);
  const params = { path: { id, version } };
  const done = `Version ${String(version)} of ${name}.`;
  const activate = (reason: string) => {
    const path = '/v1/consumers/{id}/credentials/{version}/activate';
    return run(answerOf(api.POST(path, { params, body: { reason } })), 'Activated', done);
  };
  const remove = () =>
    run(doneBy(api.DELETE('/v1/consumers/{id}/credentials/{version}', { params })), 'Deleted', done);
  if (state === 'current') return '–';
  const verb = state === 'coming' ? 'Activate now' : 'Go back to it';
  const small = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <Group gap="xs">
      <Button
        {...small}
        onClick={() => setOpen('activate')}
        aria-label={`${verb}: version ${String(version)}`}
      >
        {verb}
      </Button>
      {state === 'coming' && (
        <Button {...small} onClick={() => setOpen('delete')} aria-label={`Delete version ${String(version)}`}>
          Delete
        </Button>
      )}
      <ReasonDialog
        opened={open === 'activate'}
        onClose={() => setOpen(null)}
        title={`${verb}: version ${String(version)}`}
        effect="Every attempt from now on uses this version, including deliveries that already wait. The customer must be ready for it. The current version is kept; you can go back to it."
        confirm={verb}
        onConfirm={activate}
      />
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={() => setOpen(null)}
        title={`Delete version ${String(version)}`}
        effect="It will not be used, and its values are deleted. The current version stays. Ask the customer not to change over."
        confirm="Delete version"
        onConfirm={remove}
      />
    </Group>
  );
}
