import { Button, Divider, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { changesOf, type Change } from '../consumer-form/changes-of';
import { ConsumerFormProvider, useConsumerForm } from '../consumer-form/consumer-form-context';
import { settingsOf, valuesOf, type ConsumerValues } from '../consumer-form/consumer-values';
import { fieldFaults } from '../consumer-form/field-faults';
import { LimitsFields } from '../consumer-form/limits-fields';
import { PaymentsFields } from '../consumer-form/payments-fields';
import { VALIDATE } from '../consumer-form/validate-consumer';
import { WhereFields } from '../consumer-form/where-fields';
import { WhoFields } from '../consumer-form/who-fields';
import type { Consumer } from '../use-all-consumers';
import { ChangesDialog } from './changes-dialog';

/** Changes a consumer's settings: what differs is shown before it is saved. What others change meanwhile stays theirs. */
export function SettingsForm({ consumer, onDone }: { consumer: Consumer; onDone: () => void }) {
  const client = useQueryClient();
  // As it was when the form was opened: a refresh must not undo what is being typed.
  const [before] = useState(() => valuesOf(consumer));
  const [changes, setChanges] = useState<readonly Change[] | null>(null);
  const form = useConsumerForm({ initialValues: before, validate: VALIDATE });
  const saving = useMutation({
    mutationFn: (values: ConsumerValues) => {
      const settings = settingsOf(values);
      const changed = changesOf(before, values).map(({ field }) => field);
      const body = Object.fromEntries(changed.map((field) => [field, settings[field]]));
      return answerOf(api.PATCH('/v1/consumers/{id}', { params: { path: { id: consumer.id } }, body }));
    },
    onSuccess: async () => {
      notifications.show({ color: 'green', title: 'Saved', message: 'It holds from the next attempt on.' });
      await client.invalidateQueries();
      onDone();
    },
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
          <Section title="Who" />
          <WhoFields />
          <Section title="Where" />
          <WhereFields />
          <Section title="Which payments" />
          <PaymentsFields />
          <Section title="Limits and order" />
          <LimitsFields />
          {saving.error !== null && <ProblemAlert error={saving.error} title="Not saved" />}
          {Object.keys(form.errors).length > 0 && (
            <Text c="red" role="alert">
              Something above is not right yet; it is marked there.
            </Text>
          )}
          <Group>
            <Button type="submit">Review the changes</Button>
            <Button variant="default" onClick={onDone}>
              Leave them as they are
            </Button>
          </Group>
        </Stack>
      </form>
      <ChangesDialog
        changes={changes}
        isSaving={saving.isPending}
        onClose={() => setChanges(null)}
        onSave={() => saving.mutate(form.getValues())}
      />
    </ConsumerFormProvider>
  );
}

function Section({ title }: { title: string }) {
  return (
    <div>
      <Divider mb="sm" />
      <Title order={2} size="h4">
        {title}
      </Title>
    </div>
  );
}
