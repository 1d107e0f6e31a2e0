import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schema } from '../../../api';
import { QueryState } from '../../../feedback';
import { Time } from '../../../formats';
import { Page } from '../../../page/page';
import { useCredentials } from '../../../queries/use-consumers';
import type { Column } from '../../../tables';
import { RotateDialog } from '../../consumers/credentials/rotate-dialog';
import { Versions } from '../../consumers/credentials/versions';
import { TestDialog } from '../../consumers/test-delivery/test-dialog';
import { type OwnConsumer, useOwnConsumer } from '../own-queries';

const COLUMNS: readonly Column<Schema<'CredentialVersionDto'>>[] = [
  { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** Versions of the own signing secret, user name and password, and their rotation. */
export function PortalCredentialsPage() {
  const consumer = useOwnConsumer();
  const [isRotating, setIsRotating] = useState(false);
  return (
    <Page
      title="Credentials"
      about="Each notification carries your user name and password, and is signed with your signing secret. We never show them again."
      actions={<Button onClick={() => setIsRotating(true)}>Change the credentials</Button>}
    >
      <Text>
        Agree on a time with your engineers, test the new version before, and let your server change at that
        time. What waits is sent with the version that is in use when it is sent.
      </Text>
      <QueryState query={consumer} what="settings" />
      {consumer.data !== undefined && (
        <>
          <ScheduledTest consumer={consumer.data} />
          <Versions consumer={consumer.data} whose="own" columns={COLUMNS} mayChange />
          <RotateDialog
            consumer={consumer.data}
            kind="own"
            opened={isRotating}
            onClose={() => setIsRotating(false)}
          />
        </>
      )}
    </Page>
  );
}

/** A test with the version whose time comes, if there is one. */
function ScheduledTest({ consumer }: { consumer: OwnConsumer }) {
  const { data } = useCredentials(consumer.id);
  const [isTesting, setIsTesting] = useState(false);
  if (data?.some(({ state }) => state === 'coming') !== true) return null;
  return (
    <Group>
      <Button variant="default" onClick={() => setIsTesting(true)}>
        Test the scheduled version
      </Button>
      <TestDialog
        consumer={consumer}
        credentials="next"
        opened={isTesting}
        onClose={() => setIsTesting(false)}
      />
    </Group>
  );
}
