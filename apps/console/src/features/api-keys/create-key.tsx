import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '../../api';
import { ProblemAlert, StoredSecret, fieldFaults } from '../../feedback';
import { MomentField } from '../../formats';
import { ROLES_IN_WORDS } from '../../signed-in/use-me';

type Role = Schema<'CreateApiKeyDto'>['roles'][number];

/** From the fewest permissions to the most; a consumer's keys are created on its page. */
const ROLES = ['viewer', 'oncall', 'operator', 'admin', 'producer'] as const satisfies readonly Role[];

type CreatedKey = Pick<Schema<'ApiKeyCreatedDto'>, 'name' | 'key'>;

interface CreateKeyProps {
  title: string;
  /** False for a consumer’s key: it has the role consumer. */
  hasRoles?: boolean;
  /** The purpose of the name. */
  nameHint: string;
  create: (key: Schema<'CreateOwnKeyDto'>, roles: Role[]) => Promise<CreatedKey>;
}

/** The button that creates a key and shows it once; only the dialog's own button then closes the dialog. */
export function CreateKey(props: CreateKeyProps) {
  const [opened, dialog] = useDisclosure(false);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const close = (): void => {
    setCreated(null);
    dialog.close();
  };
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
        Create key
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={created === null ? props.title : `Key “${created.name}” created`}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={created === null}
        withCloseButton={created === null}
      >
        {opened && created === null && <CreateKeyForm {...props} onCreated={setCreated} onCancel={close} />}
        {created !== null && (
          <StoredSecret what="API key" value={created.key} onDone={close}>
            Copy it now, and hand it over over a channel that you trust.
          </StoredSecret>
        )}
      </Modal>
    </>
  );
}

interface CreateKeyFormProps extends CreateKeyProps {
  onCreated: (created: CreatedKey) => void;
  onCancel: () => void;
}

function CreateKeyForm({ hasRoles = false, nameHint, create, onCreated, onCancel }: CreateKeyFormProps) {
  const client = useQueryClient();
  const form = useForm<{ name: string; roles: string[]; expiresAt: string }>({
    initialValues: { name: '', roles: [], expiresAt: '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
      roles: (roles) => (hasRoles && roles.length === 0 ? 'Choose at least one' : null),
    },
  });
  const creation = useMutation({
    mutationFn: ({ name, roles, expiresAt }: typeof form.values) =>
      create(
        { name: name.trim(), ...(expiresAt === '' ? {} : { expiresAt }) },
        ROLES.filter((role) => roles.includes(role)),
      ),
    // The key is not kept in memory after it was shown.
    gcTime: 0,
    onSuccess: () => client.invalidateQueries(),
  });
  const submit = (values: typeof form.values): void =>
    creation.mutate(values, {
      onSuccess: onCreated,
      onError: (error) => form.setErrors(fieldFaults(error)),
    });
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description={nameHint}
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        {hasRoles && (
          <Checkbox.Group label="Roles" required {...form.getInputProps('roles')}>
            <Stack gap="xs" mt="xs">
              {ROLES.map((role) => (
                <Checkbox key={role} value={role} label={role} description={ROLES_IN_WORDS[role]} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <MomentField
          label="Expires"
          description="Leave empty for a key that never expires"
          {...form.getInputProps('expiresAt')}
          value={form.getValues().expiresAt}
        />
        {creation.error !== null && <ProblemAlert error={creation.error} title="No key was created" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Back
          </Button>
          <Button type="submit" loading={creation.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
