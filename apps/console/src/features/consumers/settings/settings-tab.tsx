import { Alert, Button, Divider, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { answerOf, api } from '../../../api';
import { ConfirmDialog, ProblemAlert, useCommand, fieldFaults } from '../../../feedback';
import { useMay } from '../../../signed-in/use-me';
import { SECTIONS } from '../consumer-form/consumer-fields';
import {
  asText,
  changesOf,
  ConsumerFormProvider,
  settingsOf,
  useConsumerForm,
  VALIDATE,
  valuesOf,
  type Change,
  type ConsumerValues,
} from '../consumer-form/consumer-values';
import { Fact, FIELD_LABELS, keysOf } from '../../../formats';
import { ChangesTable } from '../../../tables';
import type { Consumer } from '../../../queries/use-consumers';

/** The consumer's settings; an operator changes them. */
export function SettingsTab({ consumer }: { consumer: Consumer }) {
  const isOperator = useMay('operator');
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing) return <SettingsForm consumer={consumer} onDone={() => setIsEditing(false)} />;
  return (
    <Stack>
      {isOperator ? (
        <Group>
          <Button onClick={() => setIsEditing(true)}>Change settings</Button>
        </Group>
      ) : (
        <Text c="dimmed">Changing settings needs the role operator.</Text>
      )}
      {consumer.allPayments && <Alert color="yellow" title="Receives all payments of the bank" />}
      <SettingsFacts values={valuesOf(consumer)} />
    </Stack>
  );
}

/** Every setting with its name. */
export const SettingsFacts = ({ values }: { values: ConsumerValues }) => (
  <SimpleGrid component="dl" cols={{ base: 1, sm: 2, lg: 3 }} m={0} spacing="md">
    {keysOf(FIELD_LABELS).map((field) => (
      <Fact key={field} name={FIELD_LABELS[field]}>
        <span style={{ whiteSpace: 'pre-wrap' }}>{asText(field, values)}</span>
      </Fact>
    ))}
  </SimpleGrid>
);

/** Changes settings after a review. Only the changed ones are sent, so other people's changes are kept. */
function SettingsForm({ consumer, onDone }: { consumer: Consumer; onDone: () => void }) {
  const run = useCommand();
  // The settings when the form opened: a refresh must not undo typed text.
  const [before] = useState(() => valuesOf(consumer));
  const [changes, setChanges] = useState<readonly Change[] | null>(null);
  const form = useConsumerForm({ initialValues: before, validate: VALIDATE });
  const saving = useMutation({
    mutationFn: (values: ConsumerValues) => {
      const settings = settingsOf(values);
      const changed = changesOf(before, values).map(({ field }) => field);
      const body = Object.fromEntries(changed.map((field) => [field, settings[field]]));
      const patching = answerOf(
        api.PATCH('/v1/consumers/{id}', { params: { path: { id: consumer.id } }, body }),
      );
      return run(patching, 'Saved', 'Used from the next attempt on.');
    },
    onSuccess: onDone,
    onError: (error) => {
      setChanges(null);
      form.setErrors(fieldFaults(error));
    },
  });
  const review = (values: ConsumerValues): void => {
    const found = changesOf(before, values);
    if (found.length === 0) onDone();
    else setChanges(found);
  };
  return (
    <ConsumerFormProvider form={form}>
      <form onSubmit={form.onSubmit(review)} noValidate>
        <Stack maw={760}>
          {SECTIONS.map(({ title, Fields }) => (
            <Fragment key={title}>
              <div>
                <Divider mb="sm" />
                <Title order={2} size="h4">
                  {title}
                </Title>
              </div>
              <Fields />
            </Fragment>
          ))}
          {saving.error !== null && <ProblemAlert error={saving.error} title="Not saved" />}
          {Object.keys(form.errors).length > 0 && (
            <Text c="red" role="alert">
              Correct the marked fields above.
            </Text>
          )}
          <Group>
            <Button type="submit">Review changes</Button>
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
      <ConfirmDialog
        opened={changes !== null}
        onClose={() => setChanges(null)}
        size="lg"
        danger={false}
        title="Save these changes?"
        effect={
          <>
            Used from the next attempt on, including deliveries that already wait.
            <ChangesTable
              changes={
                changes?.map(({ field, ...change }) => ({ name: FIELD_LABELS[field], ...change })) ?? []
              }
            />
          </>
        }
        confirm={changes?.length === 1 ? 'Save 1 change' : `Save ${String(changes?.length ?? 0)} changes`}
        onConfirm={() => saving.mutateAsync(form.getValues())}
      />
    </ConsumerFormProvider>
  );
}
