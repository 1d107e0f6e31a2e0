import { Button, Divider, Group, Stack, Text } from '@mantine/core';
import type { Schema } from '../../../api/schema';
import { SecretOnce } from '../../../feedback/secret-once';
import { Time } from '../../../formats/time';
import { TestForm } from '../trying/test-form';
import type { Consumer } from '../use-all-consumers';

interface RotatedProps {
  consumer: Consumer;
  added: Schema<'CredentialsAddedDto'>;
  onClose: () => void;
}

/** After a rotation: the secret, and a test with what was just made. */
export function Rotated({ consumer, added, onClose }: RotatedProps) {
  const isComing = added.state === 'coming';
  return (
    <Stack>
      <Text>
        {isComing ? (
          <>
            Version {added.version} is kept and comes into force <Time at={added.activateAt} />.
          </>
        ) : (
          `Version ${String(added.version)} is in force: every attempt from now on uses it.`
        )}
      </Text>
      {added.signingSecret !== undefined && (
        <SecretOnce what="Signing secret" value={added.signingSecret}>
          Copy it and hand it to the customer now, by a way that you trust.
        </SecretOnce>
      )}
      <Divider />
      <Text>
        {isComing
          ? 'Once the customer has it, try the coming credentials here, or later under Credentials.'
          : 'Once the customer has it, see whether it is accepted.'}
      </Text>
      <TestForm consumer={consumer} credentials={isComing ? 'next' : 'current'} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {added.signingSecret === undefined ? 'Done' : 'Done, I have kept the secret'}
        </Button>
      </Group>
    </Stack>
  );
}
