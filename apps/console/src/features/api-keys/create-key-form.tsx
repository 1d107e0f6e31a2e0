import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '../../api/schema';
import { ProblemAlert } from '../../feedback/problem-alert';
import { MomentField } from '../../formats/moment-field';
import { ROLES_IN_WORDS } from '../../session/roles-in-words';
import { fieldFaults } from '../consumers/consumer-form/field-faults';
import { useCreateApiKey } from './use-create-api-key';

type Role = Schema<'CreateApiKeyDto'>['roles'][number];

/** From the least to the most; a consumer's keys are made at the consumer. */
const ROLES = ['viewer', 'oncall', 'operator', 'admin', 'producer'] as const satisfies readonly Role[];

interface CreateKeyFormProps {
  onMade: (made: { name: string; key: string }) => void;
  onCancel: () => void;
}

export function CreateKeyForm({ onMade, onCancel }: CreateKeyFormProps) {
  const create = useCreateApiKey();
  const form = useForm<{ name: string; roles: string[]; expiresAt: string }>({
    initialValues: { name: '', roles: [], expiresAt: '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name' : null),
      roles: (roles) => (roles.length === 0 ? 'Choose at least one' : null),
    },
  });
  const submit = ({ name, roles, expiresAt }: typeof form.values): void =>
    create.mutate(
      {
        name: name.trim(),
        roles: ROLES.filter((role) => roles.includes(role)),
        ...(expiresAt === '' ? {} : { expiresAt }),
      },
      { onSuccess: onMade, onError: (error) => form.setErrors(fieldFaults(error)) },
    );
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="Whose key it is, a person or a program: it stands in the audit log beside everything done with it. A producer’s keys share a name while one replaces the other."
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Checkbox.Group label="Roles" required {...form.getInputProps('roles')}>
          <Stack gap="xs" mt="xs">
            {ROLES.map((role) => (
              <Checkbox key={role} value={role} label={role} description={ROLES_IN_WORDS[role]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <MomentField
          label="Ends"
          description="Leave empty: never expires"
          {...form.getInputProps('expiresAt')}
          value={form.getValues().expiresAt}
        />
        {create.error !== null && <ProblemAlert error={create.error} title="No key was made" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Make the key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
