import { Button, Group, PasswordInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';
import type { Schema } from '../../../api/schema';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { MomentField } from '../../../formats/moment-field';
import { fieldFaults } from '../consumer-form/field-faults';
import type { Consumer } from '../use-all-consumers';
import { ClientCertificateFields } from './client-certificate-fields';
import { NEW_ROTATION, partsOf, VALIDATE_ROTATION } from './rotation';
import { SECRET_LENGTH } from './signing-secret';

interface RotateFormProps {
  consumer: Consumer;
  onAdded: (added: Schema<'CredentialsAddedDto'>) => void;
  onClose: () => void;
}

/** Which parts change, and from when. */
export function RotateForm({ consumer, onAdded, onClose }: RotateFormProps) {
  const client = useQueryClient();
  const form = useForm({ initialValues: NEW_ROTATION, validate: VALIDATE_ROTATION });
  const { secret, when, activateAt } = form.getValues();
  const adding = useMutation({
    mutationFn: (body: Schema<'AddCredentialsDto'>) =>
      answerOf(api.POST('/v1/consumers/{id}/credentials', { params: { path: { id: consumer.id } }, body })),
    onSuccess: async (added) => {
      onAdded(added);
      await client.invalidateQueries();
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => adding.mutate(partsOf(values)))} noValidate>
      <Stack>
        <Radio.Group label="Signing secret" {...form.getInputProps('secret')}>
          <Stack gap="xs" mt="xs">
            <Radio value="generate" label="Make a new one" description="256 random bits, shown once" />
            <Radio value="given" label="Take one that was agreed on" />
            <Radio value="keep" label="Keep the one in force" />
          </Stack>
        </Radio.Group>
        {secret === 'given' && (
          <PasswordInput
            label="The agreed signing secret"
            description={SECRET_LENGTH}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret' }}
            {...form.getInputProps('signingSecret')}
          />
        )}
        <TextInput
          label="New user name"
          description="Empty: stays as it is"
          autoComplete="off"
          maxLength={255}
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label="New password"
          description="Empty: stays as it is"
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          {...form.getInputProps('password')}
        />
        <ClientCertificateFields
          label="New client certificate"
          empty="stays as it is"
          propsOf={(field) => form.getInputProps(field)}
        />
        <Radio.Group label="In force" {...form.getInputProps('when')}>
          <Stack gap="xs" mt="xs">
            <Radio
              value="later"
              label="From a time that is agreed on"
              description="The customer can prepare, and you can test it before"
            />
            <Radio
              value="now"
              label="Now"
              description="The very next attempt uses it; until the customer has it, deliveries fail and are tried again"
            />
          </Stack>
        </Radio.Group>
        {when === 'later' && (
          <MomentField
            label="Comes into force"
            required
            {...form.getInputProps('activateAt')}
            value={activateAt}
          />
        )}
        <Text size="sm" c="dimmed">
          What is in force now becomes a former version; you can go back to it with one click.
        </Text>
        {adding.error !== null && <ProblemAlert error={adding.error} title="Not rotated" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave it as it is
          </Button>
          <Button type="submit" loading={adding.isPending}>
            {when === 'now' ? 'Rotate now' : 'Keep it for then'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
