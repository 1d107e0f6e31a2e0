import { Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Schema } from '../../../api/schema';
import { LoadingState } from '../../../feedback/loading-state';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { Time } from '../../../formats/time';
import { useMay } from '../../../session/use-may';
import { DataTable, type Column } from '../../../tables/data-table';
import type { ConsumerTabProps } from '../consumer-tab';
import { TestDialog } from '../trying/test-dialog';
import { RotateDialog } from './rotate-dialog';
import { useCredentials } from './use-credentials';
import { VersionActions } from './version-actions';
import { VersionBadge } from './version-badge';

type Version = Schema<'CredentialVersionDto'>;

/** Versions of signing secret, user name, password and client certificate; an operator rotates them. */
export function CredentialsTab({ consumer }: ConsumerTabProps) {
  const isOperator = useMay('operator');
  const isOnCall = useMay('oncall');
  const { data, error, refetch } = useCredentials(consumer.id);
  const [open, setOpen] = useState<'rotate' | 'test' | null>(null);
  const columns = useMemo(
    (): readonly Column<Version>[] => [
      { id: 'version', header: 'Version', cell: ({ version }) => `Version ${String(version)}` },
      { id: 'state', header: 'State', cell: ({ state }) => <VersionBadge state={state} /> },
      { id: 'from', header: 'Holds from', cell: ({ activateAt }) => <Time at={activateAt} /> },
      {
        id: 'certificate',
        header: 'Client certificate',
        cell: ({ clientCertificates: [own] }) => own?.subject ?? 'none',
      },
      { id: 'made', header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
      { id: 'by', header: 'By', cell: ({ createdBy }) => createdBy ?? 'not known' },
      ...(isOperator
        ? [
            {
              id: 'do',
              header: 'What to do',
              cell: (version: Version) => <VersionActions consumer={consumer} version={version} />,
            },
          ]
        : []),
    ],
    [isOperator, consumer],
  );
  const hasComing = data?.some(({ state }) => state === 'coming') ?? false;
  return (
    <Stack>
      <Text>
        A version is the signing secret, the user name, the password and the client certificate together.
        Values are never shown again. A new one holds from its time on, for every attempt from then, also of
        deliveries that already wait.
      </Text>
      <Group>
        {isOperator && <Button onClick={() => setOpen('rotate')}>Rotate the credentials</Button>}
        {isOnCall && hasComing && (
          <Button variant="default" onClick={() => setOpen('test')}>
            Test the coming ones
          </Button>
        )}
      </Group>
      {error !== null && (
        <ProblemAlert error={error} title="The versions cannot be read" onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <LoadingState what="the versions" />}
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
