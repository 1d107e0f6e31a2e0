import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';
import type { Schema } from '../../api';
import { ProblemAlert } from '../../feedback/problem-alert';
import { SecretOnce } from '../../feedback/secret-once';
import { MomentField } from '../../formats/moment-field';
import { ROLES_IN_WORDS } from '../../session/use-me';
import { fieldFaults } from '../consumers/consumer-form/field-faults';

type Role = Schema<'CreateApiKeyDto'>['roles'][number];

/** From the least to the most; a consumer's keys are created at the consumer. */
const ROLES = ['viewer', 'oncall', 'operator', 'admin', 'producer'] as const satisfies readonly Role[];

interface CreateKeyDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** A consumer’s key has the role consumer, and is asked for no other. */
  hasRoles: boolean;
  /** What the name is for. */
  nameHint: string;
  onCreate: (body: Schema<'CreateApiKeyDto'>) => Promise<Schema<'ApiKeyCreatedDto'>>;
}

/** Creates a key and shows it this once: from then on nothing but its own button closes the dialog. */
export function CreateKeyDialog(props: CreateKeyDialogProps) {
  const [created, setCreated] = useState<Schema<'ApiKeyCreatedDto'> | null>(null);
  const close = (): void => {
    setCreated(null);
    props.onClose();
  };
  return (
    <Modal
      opened={props.opened}
      onClose={close}
      title={created === null ? props.title : `Key “${created.name}” created`}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={created === null}
      withCloseButton={created === null}
    >
      {props.opened && created === null && (
        <CreateKeyForm {...props} onCreated={setCreated} onCancel={close} />
      )}
      {created !== null && <CreatedKey apiKey={created.key} onDone={close} />}
    </Modal>
  );
}

interface CreateKeyFormProps extends CreateKeyDialogProps {
  onCreated: (created: Schema<'ApiKeyCreatedDto'>) => void;
  onCancel: () => void;
}

function CreateKeyForm({ hasRoles, nameHint, onCreate, onCreated, onCancel }: CreateKeyFormProps) {
  // Kept in no memory of this page for longer than it is shown.
  const create = useMutation({ mutationFn: onCreate, gcTime: 0 });
  const form = useForm<{ name: string; roles: string[]; expiresAt: string }>({
    initialValues: { name: '', roles: [], expiresAt: '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
      roles: (roles) => (hasRoles && roles.length === 0 ? 'Choose at least one' : null),
    },
  });
  const submit = ({ name, roles, expiresAt }: typeof form.values): void =>
    create.mutate(
      {
        name: name.trim(),
        roles: ROLES.filter((role) => roles.includes(role)),
        ...(expiresAt === '' ? {} : { expiresAt }),
      },
      { onSuccess: onCreated, onError: (error) => form.setErrors(fieldFaults(error)) },
    );
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
        {create.error !== null && <ProblemAlert error={create.error} title="No key was created" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The key, this one time. Going to another screen, Back and a reload are held up until it is kept. */
function CreatedKey({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const top = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone; Enter must not fall on the one that closes.
  useEffect(() => top.current?.focus(), []);
  const blocker = useBlocker(true);
  useBeforeUnload((event) => event.preventDefault());
  return (
    <Stack ref={top} tabIndex={-1} style={{ outline: 'none' }}>
      <SecretOnce what="API key" value={apiKey}>
        Copy it now, and hand it over by a way that you trust.
      </SecretOnce>
      {blocker.state === 'blocked' && (
        <Text role="alert" c="var(--mantine-color-error)">
          The key is still here. Store it first; leaving this screen loses it.
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>I have stored the key. Close</Button>
      </Group>
    </Stack>
  );
}
