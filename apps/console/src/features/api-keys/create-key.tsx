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

/** The words for a key, and for a link with which one person signs in. */
const WORDS = {
  key: {
    secret: 'API key',
    button: 'Create key',
    created: (name: string): string => `Key “${name}” created`,
    handOver: 'Copy it now, and give it to its user over a channel that you trust.',
    name: 'Name',
    noName: 'Enter a name',
    expires: 'Expires',
    expiresHint: 'Leave empty for a key that never expires',
    failed: 'No key was created',
  },
  link: {
    secret: 'Sign-in link',
    button: 'Create link',
    created: (): string => 'The link is created',
    handOver: 'Copy it now, and send it over a channel on which you know the person.',
    name: 'Person',
    noName: 'Enter the person’s name or mail address',
    expires: 'Can be used until',
    expiresHint: 'Empty: for 24 hours. At most 7 days',
    failed: 'No link was created',
  },
} as const;

type CreatedKey = Pick<Schema<'ApiKeyCreatedDto'>, 'name' | 'key'>;

interface CreateKeyProps {
  kind?: keyof typeof WORDS;
  title: string;
  /** Asks for the roles; a consumer’s key has the role consumer. */
  hasRoles?: boolean;
  /** The purpose of the name. */
  nameHint: string;
  create: (key: Schema<'CreateOwnKeyDto'>, roles: Role[]) => Promise<CreatedKey>;
}

/** The button that creates a key, or a link, and shows it once; only the dialog's own button then closes the dialog. */
export function CreateKey(props: CreateKeyProps) {
  const words = WORDS[props.kind ?? 'key'];
  const [opened, dialog] = useDisclosure(false);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const close = (): void => {
    setCreated(null);
    dialog.close();
  };
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
        {words.button}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={created === null ? props.title : words.created(created.name)}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={created === null}
        withCloseButton={created === null}
      >
        {opened && created === null && <CreateKeyForm {...props} onCreated={setCreated} onCancel={close} />}
        {created !== null && (
          <StoredSecret what={words.secret} value={created.key} onDone={close}>
            {words.handOver}
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

function CreateKeyForm({ kind = 'key', hasRoles = false, nameHint, create, ...on }: CreateKeyFormProps) {
  const words = WORDS[kind];
  const client = useQueryClient();
  const form = useForm<{ name: string; roles: string[]; expiresAt: string }>({
    initialValues: { name: '', roles: [], expiresAt: '' },
    validate: {
      name: (name) => (name.trim() === '' ? words.noName : null),
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
      onSuccess: on.onCreated,
      onError: (error) => form.setErrors(fieldFaults(error)),
    });
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
        <TextInput
          label={words.name}
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
          label={words.expires}
          description={words.expiresHint}
          {...form.getInputProps('expiresAt')}
          value={form.getValues().expiresAt}
        />
        {creation.error !== null && <ProblemAlert error={creation.error} title={words.failed} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={on.onCancel}>
            Back
          </Button>
          <Button type="submit" loading={creation.isPending}>
            {words.button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
