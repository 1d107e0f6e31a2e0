import { Alert, Button, Code, Group, List, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { answerOf, api, type Schema } from '../../../api';
import { EmptyState, LoadingState, ProblemAlert } from '../../../feedback';
import { TextLink } from '../../../formats';
import { useMay } from '../../../session/use-me';
import { fieldFaults } from '../consumer-form/field-faults';
import { useCredentials, type Consumer } from '../use-consumers';

type Comparison = Schema<'SignatureComparisonDto'>;
type Explained = Schema<'SignatureExplanationDto'>;

/** Finds out why a customer computes another signature. */
export function SignatureTab({ consumer }: { consumer: Consumer }) {
  const isOnCall = useMay('oncall');
  const deliveryId = useSearchParams()[0].get('delivery');
  const { id } = consumer;
  // The signed text of the last attempt of a delivery, read once.
  const { data, error, isLoading } = useQuery({
    queryKey: ['signed-text', id, deliveryId],
    enabled: isOnCall && deliveryId !== null,
    staleTime: Infinity,
    refetchInterval: false,
    queryFn: async () => {
      const answer = await explain(id, deliveryId === null ? {} : { deliveryId });
      return answer.kind === 'explanation' ? answer : null;
    },
  });
  if (!isOnCall)
    return (
      <EmptyState title="Comparing signatures needs the role oncall">
        The comparison can show parts of a payment. Ask a colleague on call.
      </EmptyState>
    );
  return (
    <Stack maw={860}>
      <Text>
        The customer reports that our signature does not match? Paste the signature that the customer computes
        and the text it is computed from. The answer says whether they match, and if not, what the customer
        does differently. Our own signature and the secret are not shown.
      </Text>
      {error !== null && <ProblemAlert error={error} title="The delivery’s text cannot be read" />}
      {isLoading ? (
        <LoadingState what="the delivery’s text" />
      ) : (
        <ComparisonForm consumer={consumer} signed={data ?? null} />
      )}
    </Stack>
  );
}

/** Each request is an entry in the audit log. */
const explain = (id: string, body: Schema<'ExplainSignatureDto'>) =>
  answerOf(api.POST('/v1/consumers/{id}/explain-signature', { params: { path: { id } }, body }));

/** The customer's signature and its input. An empty URL is the registered one, an empty version the current one. */
const NOTHING = { signature: '', body: '', timestamp: '', url: '', version: '' };
const textOf = ({ parts: { body, timestamp, url }, credentialVersion }: Explained): typeof NOTHING => ({
  signature: '',
  body,
  timestamp,
  url,
  version: String(credentialVersion),
});
const EXACT = { input: { fontFamily: 'monospace' } };

/** The form for the customer's signature and its input. */
function ComparisonForm({ consumer: { id, url }, signed }: { consumer: Consumer; signed: Explained | null }) {
  const client = useQueryClient();
  const { data: versions } = useCredentials(id);
  const comparing = useMutation({
    mutationFn: async ({ signature, body, timestamp, url: theirUrl, version }: typeof NOTHING) => {
      const answer = await explain(id, {
        signature,
        body,
        timestamp: timestamp.trim(),
        ...(theirUrl === '' ? {} : { url: theirUrl }),
        ...(version === '' ? {} : { credentialVersion: Number(version) }),
      });
      return answer.kind === 'comparison' ? answer : null;
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['audit'] }),
  });
  const form = useForm<typeof NOTHING>({
    initialValues: signed === null ? NOTHING : textOf(signed),
    // The last result is no longer about the typed text.
    onValuesChange: () => comparing.reset(),
    validate: {
      signature: (signature) => (signature.trim() === '' ? 'Paste the signature that they compute' : null),
      timestamp: (timestamp) => (timestamp.trim() === '' ? 'Paste the value of x-timestamp' : null),
    },
  });
  const { version: chosen } = form.getValues();
  return (
    <>
      <form onSubmit={form.onSubmit((values) => comparing.mutate(values))} noValidate>
        <Stack>
          {signed !== null && (
            <Text fw={600}>
              Body, timestamp and URL are those of the delivery. Paste the customer’s signature of it.
            </Text>
          )}
          <TextInput
            label="Their signature"
            description="The signature that the customer computes, not the one in x-signature: 64 hexadecimal characters, or base64"
            required
            autoComplete="off"
            styles={EXACT}
            {...form.getInputProps('signature')}
          />
          <Textarea
            label="Their body"
            description="Byte for byte as they sign it, including blanks and line breaks"
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
          <TextInput
            label="Their URL"
            description={`Leave empty for ${url}`}
            {...form.getInputProps('url')}
          />
          <Select
            label="Version of the credentials"
            description="Other versions are tried, too"
            data={(versions ?? []).map(({ version, state }) => ({
              value: String(version),
              label: `Version ${String(version)} (${state === 'coming' ? 'scheduled' : state})`,
            }))}
            placeholder="Current"
            clearable
            clearButtonProps={{ 'aria-label': 'Use the current version' }}
            maw={320}
            value={chosen === '' ? null : chosen}
            onChange={(version) => form.setFieldValue('version', version ?? '')}
          />
          <Group>
            <Button type="submit" loading={comparing.isPending}>
              Compare signatures
            </Button>
          </Group>
        </Stack>
      </form>
      {comparing.error !== null && (
        <ProblemAlert error={comparing.error} title="The signatures cannot be compared" />
      )}
      <div role="status">{comparing.data && <ComparisonResult comparison={comparing.data} />}</div>
    </>
  );
}

/** The explanation of a customer's signature. */
const ComparisonResult = ({ comparison }: { comparison: Comparison }) => (
  <Stack gap="sm">
    <Finding comparison={comparison} />
    {comparison.notification !== null && <BodyDifference notification={comparison.notification} />}
    <Text fw={600}>What was pasted</Text>
    <List>
      {comparison.notes.map((note) => (
        <List.Item key={note}>{note}</List.Item>
      ))}
    </List>
  </Stack>
);

const FINDINGS = {
  match: { title: 'The signature matches', color: 'green', Icon: IconCircleCheck },
  variation: { title: 'The signature does not match. The cause:', color: 'yellow', Icon: IconAlertTriangle },
  no_match: { title: 'The signature does not match', color: 'red', Icon: IconCircleX },
} as const;

function Finding({ comparison: { finding, credentialVersion, differences } }: { comparison: Comparison }) {
  const { title, color, Icon } = FINDINGS[finding];
  const isOnlyForm =
    finding === 'variation' && differences.every(({ code }) => code.startsWith('signature_'));
  return (
    <Alert
      color={color}
      icon={<Icon />}
      title={isOnlyForm ? 'The signature is right, but written differently' : title}
    >
      {finding === 'match' &&
        `It is the signature of exactly this text with the secret of version ${String(credentialVersion)}. If the customer still refuses notifications, it compares with the signature of another request, or signs another text than this one.`}
      {finding === 'variation' && (
        <>
          <List size="sm">
            {differences.map(({ words }) => (
              <List.Item key={words}>{words}</List.Item>
            ))}
          </List>
          <Text size="sm">Key: the secret of version {credentialVersion}.</Text>
        </>
      )}
      {finding === 'no_match' &&
        'No usual mistake with URL, body, timestamp, order of the parts or secret explains it, nor two of them together. Ask the customer to log the exact text before signing, and compare it with that of a delivery (open the delivery, “Explain the signature”). If the texts are equal, the customer uses another secret.'}
    </Alert>
  );
}

const BODIES = {
  same_bytes: 'The body is byte for byte that of notification ',
  rewritten: 'The body is another text of notification ',
  changed: 'The body differs in content from notification ',
} as const;

/** How the body differs from that of the notification that it names. */
function BodyDifference({ notification }: { notification: NonNullable<Comparison['notification']> }) {
  const { kind, notificationId, deliveryId, offset = 0, sent = '', given = '' } = notification;
  return (
    <Text>
      {BODIES[kind]}
      <TextLink to={`/deliveries/${deliveryId}`}>{notificationId}</TextLink>
      {kind === 'rewritten' && ': the same JSON, written differently'}.
      {kind !== 'same_bytes' && (
        <>
          {' '}
          The first difference is at byte {offset + 1}: sent <Exact text={sent} />, pasted{' '}
          <Exact text={given} />.
        </>
      )}
    </Text>
  );
}

/** A text with visible line breaks. */
const Exact = ({ text }: { text: string }) =>
  text === '' ? <>nothing more</> : <Code>{JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}</Code>;
