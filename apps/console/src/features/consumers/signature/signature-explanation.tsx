import { List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../../api';
import { ExactText, JsonView } from '../../../formats';

type Explanation = Schema<'SignatureExplanationDto'>;

/** Explains an attempt, or compares a pasted signature. Each request is an entry in the audit log. */
const explain = (id: string, body: Schema<'ExplainSignatureDto'>) =>
  answerOf(api.POST('/v1/consumers/{id}/explain-signature', { params: { path: { id } }, body }));

/** Compares a pasted signature. */
export const compare = async (id: string, body: Schema<'ExplainSignatureDto'>) => {
  const answer = await explain(id, body);
  return answer.kind === 'comparison' ? answer : null;
};

/** Each reading is an entry in the audit log, so it is done once. */
const READ_ONCE = {
  staleTime: Infinity,
  refetchInterval: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: false,
} as const;

/**
 * How an attempt of a delivery was signed, the last one by default; `last`: of the request that was sent last. Nothing is
 * read without a delivery.
 */
export const useExplanation = (consumerId: string, deliveryId: string | null, attempt?: number) =>
  useQuery({
    ...READ_ONCE,
    queryKey: ['signature', consumerId, deliveryId, attempt],
    enabled: deliveryId !== null,
    queryFn: async () => {
      const answer = await explain(consumerId, {
        ...(deliveryId === 'last' ? {} : { deliveryId: deliveryId ?? '' }),
        ...(attempt === undefined ? {} : { attempt }),
      });
      if (answer.kind !== 'explanation') throw new Error('The api has answered another question.');
      return answer;
    },
  });

/** For the bank's people, above a signed text. */
export const SHOWN_IN_FULL = 'Account numbers are shown in full. Opening this view is audited.';

/** The signed parts, and the signature. */
export function SignatureExplanation({
  explanation: { parts, stringToSign, signature, headers, notes, credentialVersion },
}: {
  explanation: Explanation;
}) {
  return (
    <Stack>
      <List>
        {notes.map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
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
