import { NumberInput, Radio, Stack, Textarea } from '@mantine/core';
import { useConsumerFormContext } from './consumer-form-context';
import { FIELD_LABELS } from './field-labels';

/** How much at once and in which order; the defaults suit most. */
export function LimitsFields() {
  const form = useConsumerFormContext();
  return (
    <Stack>
      <Radio.Group label={FIELD_LABELS.ordering} {...form.getInputProps('ordering')}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="payment"
            label="The statuses of a payment one after the other"
            description="The default. A later status waits until the one before has arrived, or is given up"
          />
          <Radio
            value="none"
            label="Each as soon as it can"
            description="Faster after trouble, but the customer must put statuses in order by itself"
          />
        </Stack>
      </Radio.Group>
      <NumberInput
        label={FIELD_LABELS.maxConcurrency}
        description="Requests that it gets at the same time, 1 to 1,000; 64 unless it asks for fewer"
        min={1}
        max={1_000}
        maw={260}
        {...form.getInputProps('maxConcurrency')}
      />
      <NumberInput
        label={FIELD_LABELS.maxPerSecond}
        description="1 to 10,000; empty: no limit"
        min={1}
        max={10_000}
        maw={260}
        {...form.getInputProps('maxPerSecond')}
      />
      <Textarea
        label={FIELD_LABELS.retrySchedule}
        description="E.g. 10, 60, 300. Empty: 13 tries over about 72 hours, soon at first and rarer later. After the last a delivery is dead and waits for a person; 14 days after its acceptance at the latest, paused time and our own faults not counted"
        autosize
        {...form.getInputProps('retrySchedule')}
      />
    </Stack>
  );
}
