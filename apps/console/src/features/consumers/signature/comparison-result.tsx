import { Alert, Anchor, Code, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Schema } from '../../../api/schema';

type Comparison = Schema<'SignatureComparisonDto'>;

/** What a customer's signature is the signature of, in words. */
export function ComparisonResult({ comparison }: { comparison: Comparison }) {
  const { notification, notes } = comparison;
  return (
    <Stack gap="sm">
      <Finding comparison={comparison} />
      {notification !== null && <Named notification={notification} />}
      <Text fw={600}>What was pasted</Text>
      <List>
        {notes.map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

function Finding({ comparison: { finding, credentialVersion, differences } }: { comparison: Comparison }) {
  switch (finding) {
    case 'match':
      return (
        <Alert color="green" variant="outline" icon={<IconCircleCheck />} title="The signature matches">
          This is the signature of exactly this text, with the secret of version {credentialVersion}. If the
          customer refuses notifications all the same, it compares with the signature of another request, or
          compares another text than this one.
        </Alert>
      );
    case 'variation':
      return (
        <Alert
          color="yellow"
          variant="outline"
          icon={<IconAlertTriangle />}
          title={
            differences.every(({ code }) => code.startsWith('signature_'))
              ? 'The signature is the right one, written in another way'
              : 'The signature does not match, and this is why'
          }
        >
          <List size="sm">
            {differences.map(({ words }) => (
              <List.Item key={words}>{words}</List.Item>
            ))}
          </List>
          <Text size="sm">Key: the secret of version {credentialVersion}.</Text>
        </Alert>
      );
    case 'no_match':
      return (
        <Alert color="red" variant="outline" icon={<IconCircleX />} title="The signature does not match">
          It comes of no usual mistake with URL, body, timestamp, order of the parts or secret, nor of two at
          once. Have the customer write down the exact text before it is signed, and compare it with that of a
          delivery (open one, <strong>Explain the signature</strong>). If the texts are equal, the customer
          has another secret.
        </Alert>
      );
  }
}

const SAID = {
  same_bytes: 'These are the bytes of notification ',
  rewritten: 'This is another text of notification ',
  changed: 'This is not the content of notification ',
} as const;

/** How the body relates to the notification that it names. */
function Named({ notification }: { notification: NonNullable<Comparison['notification']> }) {
  const { kind, notificationId, deliveryId, offset = 0, sent = '', given = '' } = notification;
  return (
    <Text>
      {SAID[kind]}
      <Anchor component={Link} to={`/deliveries/${deliveryId}`}>
        {notificationId}
      </Anchor>
      {kind === 'same_bytes' && ', as it was sent.'}
      {kind === 'rewritten' && ': the same JSON, written anew. '}
      {kind === 'changed' && ' as it was sent. '}
      {kind !== 'same_bytes' && (
        <>
          The first difference is at byte {offset + 1}: sent was <Exact text={sent} />, pasted is{' '}
          <Exact text={given} />.
        </>
      )}
    </Text>
  );
}

/** A piece of text with its line breaks to be seen. */
const Exact = ({ text }: { text: string }) =>
  text === '' ? <>nothing more</> : <Code>{JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}</Code>;
