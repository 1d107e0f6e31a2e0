import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';
import type { Schema } from '../../../api/schema';
import { EmptyState } from '../../../feedback/empty-state';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { useMay } from '../../../session/use-may';
import { SignatureExplanation } from '../../deliveries/signature-explanation';
import { fieldFaults } from '../consumer-form/field-faults';
import type { ConsumerTabProps } from '../consumer-tab';
import { useCredentials } from '../credentials/use-credentials';

const NOTHING = { body: '', timestamp: '', url: '', version: '' };

/** Settles a signature that the customer cannot reproduce: what exactly is signed, and what comes of it. */
export function SignatureTab({ consumer }: ConsumerTabProps) {
  const isOnCall = useMay('oncall');
  const client = useQueryClient();
  const { data: versions } = useCredentials(consumer.id);
  const form = useForm({
    initialValues: NOTHING,
    validate: {
      timestamp: (timestamp) => (timestamp.trim() === '' ? 'Paste the value of x-timestamp' : null),
    },
  });
  const explaining = useMutation({
    mutationFn: (body: Schema<'ExplainSignatureDto'>) =>
      answerOf(
        api.POST('/v1/consumers/{id}/explain-signature', { params: { path: { id: consumer.id } }, body }),
      ),
    onError: (error) => form.setErrors(fieldFaults(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['audit'] }),
  });
  if (!isOnCall)
    return (
      <EmptyState title="This needs the role oncall">
        It shows what is signed, and that is bank data in full. Ask somebody on call to explain a signature.
      </EmptyState>
    );
  const explain = ({ body, timestamp, url, version }: typeof NOTHING): void =>
    explaining.mutate({
      body,
      timestamp: timestamp.trim(),
      ...(url === '' ? {} : { url }),
      ...(version === '' ? {} : { credentialVersion: Number(version) }),
    });
  return (
    <Stack maw={860}>
      <Text>
        The customer says that the signature does not match? Paste the body and the timestamp as the customer
        received them. You get the exact text that is signed, its parts and the signature; the secret itself
        is never shown. For a delivery of ours, open the delivery instead.
      </Text>
      <form onSubmit={form.onSubmit(explain)} noValidate>
        <Stack>
          <Textarea
            label="Body"
            description="Byte for byte, as it arrived: a space or a line break more is another body"
            autosize
            minRows={4}
            maxRows={14}
            styles={{ input: { fontFamily: 'monospace' } }}
            {...form.getInputProps('body')}
          />
          <TextInput
            label="Timestamp"
            description="The value of x-timestamp"
            required
            maw={320}
            {...form.getInputProps('timestamp')}
          />
          <TextInput
            label="URL"
            description={`As the customer has it; empty: ${consumer.url}`}
            {...form.getInputProps('url')}
          />
          <Select
            label="Version of the credentials"
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
            <Button type="submit" loading={explaining.isPending}>
              Explain the signature
            </Button>
          </Group>
        </Stack>
      </form>
      {explaining.error !== null && <ProblemAlert error={explaining.error} title="It cannot be explained" />}
      <div role="status">
        {explaining.data !== undefined && <SignatureExplanation explanation={explaining.data} />}
      </div>
    </Stack>
  );
}
