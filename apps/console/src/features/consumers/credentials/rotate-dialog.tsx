import { Button, Divider, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answerOf, api, type Schema } from '../../../api';
import { ProblemAlert, SecretOnce, fieldFaults } from '../../../feedback';
import { MomentField, Time } from '../../../formats';
import { TestForm } from '../test-delivery/test-dialog';
import type { Consumer } from '../../../queries/use-consumers';
import { CredentialFields } from './credential-fields';
import { NO_PARTS, rotationOf, VALIDATE_ROTATION, type Rotation } from './credential-parts';

type Added = Pick<Schema<'CredentialsAddedDto'>, 'version' | 'state' | 'activateAt' | 'signingSecret'>;
const NEW_ROTATION: Rotation = { ...NO_PARTS, when: 'later', activateAt: '' };

interface RotateDialogProps {
  consumer: Consumer;
  opened: boolean;
  onClose: () => void;
}

/** An operator's rotation of a consumer's credentials. */
export function RotateDialog({ consumer, ...dialog }: RotateDialogProps) {
  return (
    <RotationDialog
      {...dialog}
      title={`Rotate the credentials of ${consumer.name}`}
      kind="rotation"
      handOver="Copy it now and hand it to the customer over a secure channel."
      whenReady="When the customer has it,"
      add={(rotation) =>
        answerOf(
          api.POST('/v1/consumers/{id}/credentials', {
            params: { path: { id: consumer.id } },
            body: rotationOf(rotation),
          }),
        )
      }
      test={(credentials) => <TestForm consumer={consumer} credentials={credentials} />}
    />
  );
}

interface RotationDialogProps extends Omit<RotateDialogProps, 'consumer'> {
  title: string;
  /** Who rotates: an operator, or the consumer's own people. */
  kind: 'rotation' | 'own';
  /** What to do with a generated secret. */
  handOver: string;
  /** The beginning of the sentence that recommends a test. */
  whenReady: string;
  add: (rotation: Rotation) => Promise<Added>;
  test: (credentials: 'current' | 'next') => ReactNode;
}

/** Adds a version of the credentials, then shows its secret once and offers a test. */
export function RotationDialog({ opened, onClose, title, ...rest }: RotationDialogProps) {
  const [added, setAdded] = useState<Added | null>(null);
  // A secret that is shown once must not be closed by mistake.
  const isShowingSecret = added?.signingSecret !== undefined;
  const close = (): void => {
    setAdded(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={!isShowingSecret}
      withCloseButton={!isShowingSecret}
    >
      {opened &&
        (added === null ? (
          <RotateForm {...rest} onAdded={setAdded} onClose={close} />
        ) : (
          <Rotated {...rest} added={added} onClose={close} />
        ))}
    </Modal>
  );
}

interface RotateFormProps extends Pick<RotationDialogProps, 'kind' | 'add' | 'onClose'> {
  onAdded: (added: Added) => void;
}

function RotateForm({ kind, add, onAdded, onClose }: RotateFormProps) {
  const client = useQueryClient();
  const form = useForm({ initialValues: NEW_ROTATION, validate: VALIDATE_ROTATION });
  const { secret, when, activateAt } = form.getValues();
  const adding = useMutation({
    mutationFn: add,
    onSuccess: async (added) => {
      onAdded(added);
      await client.invalidateQueries();
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => adding.mutate(values))} noValidate>
      <Stack>
        <CredentialFields kind={kind} secret={secret} propsOf={(field) => form.getInputProps(field)} />
        <Radio.Group label="When" {...form.getInputProps('when')}>
          <Stack gap="xs" mt="xs">
            <Radio
              value="later"
              label="At an agreed time"
              description="The new credentials can be tested before"
            />
            <Radio
              value="now"
              label="Now"
              description="Used from the next attempt on. Attempts fail and are retried until the receiving system has changed over"
            />
          </Stack>
        </Radio.Group>
        {when === 'later' && (
          <MomentField
            label="Effective from"
            required
            {...form.getInputProps('activateAt')}
            value={activateAt}
          />
        )}
        <Text size="sm" c="dimmed">
          The current version is kept; you can go back to it with one click.
        </Text>
        {adding.error !== null && <ProblemAlert error={adding.error} title="Not rotated" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" loading={adding.isPending}>
            {when === 'now' ? 'Rotate now' : 'Schedule rotation'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** After a rotation: the secret, and a test with the new version. */
function Rotated({
  added,
  handOver,
  whenReady,
  test,
  onClose,
}: Pick<RotationDialogProps, 'handOver' | 'whenReady' | 'test' | 'onClose'> & { added: Added }) {
  const isScheduled = added.state === 'coming';
  return (
    <Stack>
      <Text>
        {isScheduled ? (
          <>
            Version {added.version} is scheduled. Effective from <Time at={added.activateAt} />.
          </>
        ) : (
          `Version ${String(added.version)} is used from the next attempt on.`
        )}
      </Text>
      {added.signingSecret !== undefined && (
        <SecretOnce what="Signing secret" value={added.signingSecret}>
          {handOver}
        </SecretOnce>
      )}
      <Divider />
      <Text>
        {whenReady}{' '}
        {isScheduled ? 'test the scheduled credentials here or later under Credentials.' : 'send a test.'}
      </Text>
      {test(isScheduled ? 'next' : 'current')}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {added.signingSecret === undefined ? 'Done' : 'I have stored the secret. Done'}
        </Button>
      </Group>
    </Stack>
  );
}
