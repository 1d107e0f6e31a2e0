import { NumberInput, SegmentedControl, Stack, Text, Textarea, TextInput, Input } from '@mantine/core';
import { useConsumerFormContext } from './consumer-form-context';
import { FIELD_LABELS } from './field-labels';
import { RequestPreview } from './request-preview';

/** Where it is sent, how long it may take to answer, and what will be requested and signed. */
export function WhereFields() {
  const form = useConsumerFormContext();
  const { url, timestampUnit } = form.getValues();
  return (
    <Stack>
      <TextInput
        label={FIELD_LABELS.url}
        description="Where notifications are POSTed. It is part of what is signed: the customer must use the very same text"
        required
        type="url"
        maxLength={2048}
        {...form.getInputProps('url')}
      />
      <Textarea
        label={FIELD_LABELS.caCertificate}
        description="Certificates in PEM, trusted instead of the public authorities. Empty: the public ones"
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('caCertificate')}
      />
      <NumberInput
        label={FIELD_LABELS.timeoutMs}
        description="For the whole exchange; 1,000 to 30,000. An answer after that counts as none"
        min={1_000}
        max={30_000}
        step={1_000}
        thousandSeparator=","
        maw={260}
        {...form.getInputProps('timeoutMs')}
      />
      <Input.Wrapper
        label={FIELD_LABELS.timestampUnit}
        labelElement="div"
        description="As the customer’s software expects x-timestamp"
        error={form.errors['timestampUnit']}
      >
        <div>
          <SegmentedControl
            mt={4}
            aria-label={FIELD_LABELS.timestampUnit}
            data={[
              { value: 'seconds', label: 'Seconds' },
              { value: 'milliseconds', label: 'Milliseconds' },
            ]}
            value={timestampUnit}
            onChange={(unit) => form.setFieldValue('timestampUnit', unit)}
          />
        </div>
      </Input.Wrapper>
      {URL.canParse(url) ? (
        <RequestPreview url={url} timestampUnit={timestampUnit} />
      ) : (
        <Text c="dimmed">What will be requested and signed is shown here once there is a URL.</Text>
      )}
    </Stack>
  );
}
