import { Stack, Textarea, TextInput } from '@mantine/core';
import { useConsumerFormContext } from './consumer-form-context';
import { FIELD_LABELS } from './field-labels';

/** Whose system it is, and whom to call. */
export function WhoFields() {
  const form = useConsumerFormContext();
  return (
    <Stack>
      <TextInput
        label={FIELD_LABELS.name}
        description="As colleagues know the customer"
        required
        maxLength={200}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={FIELD_LABELS.externalId}
        description="If we have one, e.g. its customer number. Unique; producers may name it by this"
        maxLength={255}
        {...form.getInputProps('externalId')}
      />
      <TextInput
        label={FIELD_LABELS.contact}
        description="Somebody at the customer who can be reached when deliveries fail, also at night"
        maxLength={500}
        {...form.getInputProps('contact')}
      />
      <Textarea
        label={FIELD_LABELS.notes}
        description="What a colleague should know at 3 a.m., e.g. maintenance windows"
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps('notes')}
      />
    </Stack>
  );
}
