import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, doneBy, type Schema } from '../../../api';
import { useCommand } from '../../../feedback';
import { Time } from '../../../formats';
import { useCredentials, type Consumer } from '../../../queries/use-consumers';
import { useMay } from '../../../signed-in/use-me';
import type { Column } from '../../../tables';
import { TestDialog } from '../test-delivery/test-dialog';
import { RotateDialog } from './rotate-dialog';
import { Versions } from './versions';

const COLUMNS: readonly Column<Schema<'CredentialVersionDto'>>[] = [
  { header: 'Client certificate', cell: ({ clientCertificates: [own] }) => own?.subject ?? 'None' },
  { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { header: 'Added by', cell: ({ createdBy }) => createdBy ?? 'Unknown' },
];

/** Versions of signing secret, user name, password and client certificate; an operator rotates them. */
export function CredentialsTab({ consumer }: { consumer: Consumer }) {
  const isOperator = useMay('operator');
  const isOnCall = useMay('oncall');
  const query = useCredentials(consumer.id);
  const [open, setOpen] = useState<'rotate' | 'test' | null>(null);
  const commands = useVersionCommands(consumer);
  return (
    <Stack>
      <Text>
        A version consists of signing secret, user name, password and client certificate. Values are never
        shown again. From its effective time on a version is used for every attempt, including deliveries that
        already wait.{!isOperator && ' Rotating needs the role operator.'}
      </Text>
      <Group>
        {isOperator && <Button onClick={() => setOpen('rotate')}>Rotate credentials</Button>}
        {isOnCall && query.data?.some(({ state }) => state === 'coming') === true && (
          <Button variant="default" onClick={() => setOpen('test')}>
            Test the scheduled version
          </Button>
        )}
      </Group>
      <Versions query={query} columns={COLUMNS} commands={isOperator ? commands : undefined} />
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

function useVersionCommands({ id, name }: Consumer) {
  const run = useCommand();
  const done = (version: number): string => `Version ${String(version)} of ${name}.`;
  return {
    ready: 'The customer must be ready for it.',
    activate: (version: number, reason: string) => {
      const params = { path: { id, version } };
      const path = '/v1/consumers/{id}/credentials/{version}/activate';
      return run(answerOf(api.POST(path, { params, body: { reason } })), 'Activated', done(version));
    },
    afterwards: 'Ask the customer not to change over.',
    remove: (version: number) => {
      const params = { path: { id, version } };
      const removing = api.DELETE('/v1/consumers/{id}/credentials/{version}', { params });
      return run(doneBy(removing), 'Deleted', done(version));
    },
  };
}
