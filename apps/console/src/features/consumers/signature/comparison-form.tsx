import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { fieldFaults } from '../consumer-form/field-faults';
import { useCredentials } from '../credentials/use-credentials';
import type { Consumer } from '../use-all-consumers';
import type { PastedSignature } from './compare-signature';

interface ComparisonFormProps {
  consumer: Consumer;
  isComparing: boolean;
  /** What the api has refused, if anything. */
  error: Error | null;
  onCompare: (pasted: PastedSignature) => void;
  /** Something was changed: what was found before is no longer about what is typed. */
  onChange: () => void;
}

const NOTHING: PastedSignature = { signature: '', body: '', timestamp: '', url: '', version: '' };
const EXACT = { input: { fontFamily: 'monospace' } };

/** The customer's signature, and what it was computed over. */
export function ComparisonForm({ consumer, isComparing, error, onCompare, onChange }: ComparisonFormProps) {
  const { data: versions } = useCredentials(consumer.id);
  const form = useForm({
    initialValues: NOTHING,
    onValuesChange: onChange,
    validate: {
      signature: (signature) => (signature.trim() === '' ? 'Paste the signature that they compute' : null),
      timestamp: (timestamp) => (timestamp.trim() === '' ? 'Paste the value of x-timestamp' : null),
    },
  });
  const { setErrors } = form;
  useEffect(() => {
    if (error !== null) setErrors(fieldFaults(error));
  }, [error, setErrors]);
  return (
    <form onSubmit={form.onSubmit(onCompare)} noValidate>
      <Stack>
        <TextInput
          label="Their signature"
          description="The one that the customer computes, not the one in x-signature: 64 hexadecimal characters, or base64"
          required
          autoComplete="off"
          styles={EXACT}
          {...form.getInputProps('signature')}
        />
        <Textarea
          label="Their body"
          description="Byte for byte, as they sign it: a space or a line break more is another body"
          autosize
          minRows={4}
          maxRows={14}
          styles={EXACT}
          {...form.getInputProps('body')}
        />
        <TextInput
          label="Their timestamp"
          description="The value of x-timestamp"
          required
          maw={320}
          {...form.getInputProps('timestamp')}
        />
        <TextInput label="Their URL" description={`Empty: ${consumer.url}`} {...form.getInputProps('url')} />
        <Select
          label="Version of the credentials"
          description="Other versions are tried, too"
          data={(versions ?? []).map(({ version, state }) => ({
            value: String(version),
            label: `Version ${String(version)}${state === 'current' ? ', in force' : `, ${state}`}`,
          }))}
          placeholder="The one in force"
          clearable
          clearButtonProps={{ 'aria-label': 'Take the one in force' }}
          maw={320}
          value={form.getValues().version === '' ? null : form.getValues().version}
          onChange={(version) => form.setFieldValue('version', version ?? '')}
        />
        <Group>
          <Button type="submit" loading={isComparing}>
            Compare the signature
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
