import { Alert, Button, Code, Group, List, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../../api';
import { ProblemAlert, fieldFaults } from '../../../feedback';
import { TextLink } from '../../../formats';

type Comparison = Schema<'SignatureComparisonDto'>;

type Values = Record<'signature' | 'body' | 'timestamp' | 'url' | 'version', string>;
const EXACT = { input: { fontFamily: 'monospace' } };

/** The words for an operator who helps a customer, and for the consumer's own people. */
const WORDS = {
  theirs: {
    who: 'they',
    whose: 'Their',
    signature: 'the customer’s signature',
    whoseSoftware: 'the customer’s software',
    next: 'Ask the customer to log the exact text before signing, and compare it with that of a delivery (open the delivery, “Explain the signature”).',
    deliveries: '/deliveries',
  },
  own: {
    who: 'you',
    whose: 'Your',
    signature: 'your signature',
    whoseSoftware: 'your software',
    next: 'Log the exact text before signing, and compare it with the example above.',
    deliveries: '/portal/deliveries',
  },
} as const;
type Words = (typeof WORDS)[keyof typeof WORDS];

interface ComparisonFormProps {
  whose: keyof typeof WORDS;
  /** The consumer's URL. */
  url: string;
  versions: readonly Pick<Schema<'CredentialVersionDto'>, 'version' | 'state'>[];
  /** A text that was signed, to begin with. */
  signed: Pick<Schema<'SignatureExplanationDto'>, 'parts' | 'credentialVersion'> | null;
  compare: (body: Schema<'ExplainSignatureDto'>) => Promise<Comparison | null>;
}

/** The form for a signature and its input, and the result of the comparison. */
export function ComparisonForm({ whose, url, versions, signed, compare }: ComparisonFormProps) {
  const words = WORDS[whose];
  const client = useQueryClient();
  const comparing = useMutation({
    mutationFn: ({ timestamp, url: theirUrl, version, ...text }: Values) =>
      compare({
        ...text,
        timestamp: timestamp.trim(),
        ...(theirUrl === '' ? {} : { url: theirUrl }),
        ...(version === '' ? {} : { credentialVersion: Number(version) }),
      }),
    onError: (error) => form.setErrors(fieldFaults(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['audit'] }),
  });
  const form = useForm<Values>({
    // An empty URL is the registered one, an empty version the current one.
    initialValues: {
      signature: '',
      body: signed?.parts.body ?? '',
      timestamp: signed?.parts.timestamp ?? '',
      url: signed?.parts.url ?? '',
      version: String(signed?.credentialVersion ?? ''),
    },
    // The last result is no longer about the typed text.
    onValuesChange: () => comparing.reset(),
    validate: {
      signature: (signature) =>
        signature.trim() === '' ? `Paste the signature that ${words.who} compute` : null,
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
              Body, timestamp and URL are those of the delivery. Paste {words.signature} of it.
            </Text>
          )}
          <TextInput
            label={`${words.whose} signature`}
            description={`The signature that ${words.whoseSoftware} computes, not the one in x-signature: 64 hexadecimal characters, or base64`}
            required
            autoComplete="off"
            styles={EXACT}
            {...form.getInputProps('signature')}
          />
          <Textarea
            label={`${words.whose} body`}
            description={`Byte for byte as ${words.who} sign it, including blanks and line breaks`}
            autosize
            minRows={4}
            maxRows={14}
            styles={EXACT}
            {...form.getInputProps('body')}
          />
          <TextInput
            label={`${words.whose} timestamp`}
            description="The value of x-timestamp"
            required
            maw={320}
            {...form.getInputProps('timestamp')}
          />
          <TextInput
            label={`${words.whose} URL`}
            description={`Leave empty for ${url}`}
            {...form.getInputProps('url')}
          />
          <Select
            label="Version of the credentials"
            description="Other versions are tried, too"
            data={versions.map(({ version, state }) => ({
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
      <div role="status">
        {comparing.data && <ComparisonResult comparison={comparing.data} words={words} />}
      </div>
    </>
  );
}

const FINDINGS = {
  match: { title: 'The signature matches', color: 'green', Icon: IconCircleCheck },
  variation: { title: 'The signature does not match. The cause:', color: 'yellow', Icon: IconAlertTriangle },
  no_match: { title: 'The signature does not match', color: 'red', Icon: IconCircleX },
} as const;

/** Whether the signature matches, or what is done differently. */
function ComparisonResult({ comparison, words }: { comparison: Comparison; words: Words }) {
  const { finding, credentialVersion, differences, notification, notes } = comparison;
  const { title, color, Icon } = FINDINGS[finding];
  const isOnlyForm =
    finding === 'variation' && differences.every(({ code }) => code.startsWith('signature_'));
  return (
    <Stack gap="sm">
      <Alert
        color={color}
        icon={<Icon />}
        title={isOnlyForm ? 'The signature is right, but written differently' : title}
      >
        {finding === 'match' &&
          `It is the signature of exactly this text with the secret of version ${String(credentialVersion)}. If notifications are still refused, ${words.whoseSoftware} compares with the signature of another request, or signs another text than this one.`}
        {finding === 'variation' && (
          <>
            <List size="sm">
              {differences.map((difference) => (
                <List.Item key={difference.words}>{difference.words}</List.Item>
              ))}
            </List>
            <Text size="sm">Key: the secret of version {credentialVersion}.</Text>
          </>
        )}
        {finding === 'no_match' &&
          `No usual mistake with URL, body, timestamp, order of the parts or secret explains it, nor two of them together. ${words.next} If the texts are equal, another secret is used.`}
      </Alert>
      {notification !== null && <BodyDifference notification={notification} path={words.deliveries} />}
      <Text fw={600}>What was pasted</Text>
      <List>
        {notes.map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

const BODIES = {
  same_bytes: 'The body is byte for byte that of notification ',
  rewritten: 'The body is another text of notification ',
  changed: 'The body differs in content from notification ',
} as const;

/** How the body differs from that of the notification that it names. */
function BodyDifference(props: { notification: NonNullable<Comparison['notification']>; path: string }) {
  const { notification, path } = props;
  const { kind, notificationId, deliveryId, offset = 0, sent = '', given = '' } = notification;
  return (
    <Text>
      {BODIES[kind]}
      <TextLink to={`${path}/${deliveryId}`}>{notificationId}</TextLink>
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
