import { Button, Divider, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../../api';
import { ProblemAlert, ReasonField, SecretOnce, fieldFaults } from '../../../feedback';
import { MomentField, Time } from '../../../formats';
import { TestForm } from '../test-delivery/test-dialog';
import type { Consumer } from '../../../queries/use-consumers';
import { CredentialFields } from './credential-fields';
import { NO_PARTS, rotationOf, VALIDATE_ROTATION, type Rotation } from './credential-parts';

type Added = Schema<'CredentialsAddedDto'>;
const NEW_ROTATION: Rotation = { ...NO_PARTS, when: 'later', activateAt: '', reason: '' };

/** The words for an operator, and for the consumer's own people. */
const WORDS = {
  rotation: {
    handOver: 'Copy it now and hand it to the customer over a secure channel.',
    whenReady: 'When the customer has it,',
    title: (name: string) => `Rotate the credentials of ${name}`,
    now: 'Rotate now',
    later: 'Schedule rotation',
  },
  own: {
    handOver: 'Copy it now into your system.',
    whenReady: 'When your system has it,',
    title: () => 'Change the credentials',
    now: 'Change now',
    later: 'Schedule the change',
  },
} as const;

interface RotateDialogProps {
  consumer: Pick<Consumer, 'id' | 'name' | 'eventTypes'>;
  /** Who rotates: an operator, or the consumer's own people. */
  kind: keyof typeof WORDS;
  opened: boolean;
  onClose: () => void;
}

/** Adds a version of the credentials, then shows its secret once and offers a test. */
export function RotateDialog({ opened, onClose, ...rest }: RotateDialogProps) {
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
      title={WORDS[rest.kind].title(rest.consumer.name)}
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

interface RotateFormProps extends Omit<RotateDialogProps, 'opened'> {
  onAdded: (added: Added) => void;
}

function RotateForm({ consumer: { id }, kind, onAdded, onClose }: RotateFormProps) {
  const client = useQueryClient();
  const form = useForm({ initialValues: NEW_ROTATION, validate: VALIDATE_ROTATION });
  const { secret, when, activateAt, reason } = form.getValues();
  // The bank's people say why they change what a customer checks now.
  const asksReason = kind === 'rotation' && when === 'now';
  const adding = useMutation({
    mutationFn: (rotation: Rotation) =>
      answerOf(
        api.POST('/v1/consumers/{id}/credentials', { params: { path: { id } }, body: rotationOf(rotation) }),
      ),
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
        {asksReason && <ReasonField {...form.getInputProps('reason')} />}
        <Text size="sm" c="dimmed">
          The current version is kept and can be restored at once.
        </Text>
        {adding.error !== null && <ProblemAlert error={adding.error} title="Not changed" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" loading={adding.isPending} disabled={asksReason && reason.trim() === ''}>
            {WORDS[kind][when]}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** After a rotation: the secret, and a test with the new version. */
function Rotated({ consumer, kind, added, onClose }: Omit<RotateDialogProps, 'opened'> & { added: Added }) {
  const { handOver, whenReady } = WORDS[kind];
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
      <TestForm consumer={consumer} credentials={isScheduled ? 'next' : 'current'} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {added.signingSecret === undefined ? 'Done' : 'I have stored the secret. Done'}
        </Button>
      </Group>
    </Stack>
  );
}
