import { List, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../api';
import { QueryState } from '../../feedback';
import { ExactText, JsonView, useMomentInWords } from '../../formats';

interface SignatureDialogProps {
  opened: boolean;
  onClose: () => void;
  delivery: Schema<'DeliveryDetailDto'>;
}

/** Shows exactly what was signed in an attempt, for a consumer that reports a wrong signature. */
export function SignatureDialog({ opened, onClose, delivery }: SignatureDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Explain the signature" size="xl">
      {opened && <AttemptSignature delivery={delivery} />}
    </Modal>
  );
}

function AttemptSignature({ delivery }: { delivery: Schema<'DeliveryDetailDto'> }) {
  const { consumerId, deliveryId, attempts } = delivery;
  // The last attempt when the dialog opened: a new one must not change what is being read.
  const [attempt, setAttempt] = useState(attempts.at(-1)?.number ?? 1);
  const inWords = useMomentInWords();
  // Each reading is an entry in the audit log, so it is done once.
  const explanation = useQuery({
    queryKey: ['signature', consumerId, deliveryId, attempt],
    queryFn: async () => {
      const answer = await answerOf(
        api.POST('/v1/consumers/{id}/explain-signature', {
          params: { path: { id: consumerId } },
          body: { deliveryId, attempt },
        }),
      );
      if (answer.kind !== 'explanation') throw new Error('The api has answered another question.');
      return answer;
    },
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
    retry: false,
  });
  return (
    <Stack>
      <Text>
        Compare this with what the consumer computes, from top to bottom: the first difference is the cause.
        The secret itself is never shown. Opening this view is audited.
      </Text>
      <NativeSelect
        label="Attempt"
        value={attempt}
        onChange={(event) => setAttempt(Number(event.currentTarget.value))}
        data={attempts.toReversed().map(({ number, startedAt }) => ({
          value: String(number),
          label: `${String(number)}, ${inWords(startedAt)}`,
        }))}
      />
      <QueryState query={explanation} what="signature" />
      {explanation.data !== undefined && <SignatureExplanation explanation={explanation.data} />}
    </Stack>
  );
}

type Whole = Schema<'SignatureExplanationDto'>;
type Explanation = Pick<Whole, 'parts' | 'stringToSign' | 'signature' | 'headers' | 'credentialVersion'> &
  Partial<Pick<Whole, 'notes'>>;

/** The signed parts, and the signature. */
export function SignatureExplanation({ explanation }: { explanation: Explanation }) {
  const { parts, stringToSign, signature, headers, notes = [], credentialVersion } = explanation;
  return (
    <Stack>
      {notes.length > 0 && (
        <List>
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
      <Text>
        Key: the signing secret of version {credentialVersion} of the credentials. Method: HMAC-SHA256 over
        the UTF-8 bytes of the four parts below, in this order, with nothing between them.
      </Text>
      <ExactText what="1. Verb" text={parts.verb} />
      <ExactText what="2. URL" text={parts.url} />
      <ExactText what="3. Body" text={parts.body} />
      <ExactText what="4. Timestamp (x-timestamp)" text={parts.timestamp} />
      <ExactText what="The exact string that is signed" text={stringToSign} />
      <ExactText what="Signature (x-signature)" text={signature} />
      <JsonView what="Headers of the attempt (secrets left out)" value={headers} />
    </Stack>
  );
}
