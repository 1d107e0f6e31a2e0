import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconUserShield } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schema } from '../../../api';
import { Time } from '../../../formats';
import { useCredentials, type Consumer } from '../../../queries/use-consumers';
import { useMay } from '../../../signed-in/use-me';
import type { Column } from '../../../tables';
import { TestDialog } from '../test-delivery/test-dialog';
import { RotateDialog } from './rotate-dialog';
import { Versions } from './versions';

type Version = Schema<'CredentialVersionDto'>;

const COLUMNS: readonly Column<Version>[] = [
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
  return (
    <Stack>
      <Text>
        A version consists of signing secret, user name, password and client certificate. Values are never
        shown again. From its effective time on a version is used for every attempt, including deliveries that
        already wait.
        {isOperator && ' To undo a wrong rotation, restore the former version.'}
      </Text>
      {!isOperator && <WhoMayChange current={query.data?.find(({ state }) => state === 'current')} />}
      <Group>
        {isOperator && <Button onClick={() => setOpen('rotate')}>Rotate credentials</Button>}
        {isOnCall && query.data?.some(({ state }) => state === 'coming') === true && (
          <Button variant="default" onClick={() => setOpen('test')}>
            Test the scheduled version
          </Button>
        )}
      </Group>
      <Versions consumer={consumer} whose="theirs" columns={COLUMNS} mayChange={isOperator} />
      <RotateDialog
        consumer={consumer}
        kind="rotation"
        opened={open === 'rotate'}
        onClose={() => setOpen(null)}
      />
      <TestDialog
        consumer={consumer}
        credentials="next"
        opened={open === 'test'}
        onClose={() => setOpen(null)}
      />
    </Stack>
  );
}

/** For a role that may not change credentials: which role may, and whom to call. */
const WhoMayChange = ({ current }: { current: Version | undefined }) => (
  <Alert color="blue" icon={<IconUserShield />} title="Changing credentials needs the role operator">
    An operator rotates them, and restores a former version at once after a wrong rotation.
    {current?.createdBy != null &&
      ` Version ${String(current.version)}, the current one, was added by ${current.createdBy}. Call ${current.createdBy} or another operator.`}
  </Alert>
);
