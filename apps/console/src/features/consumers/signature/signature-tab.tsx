import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { answerOf, api, type Schema } from '../../../api';
import { EmptyState, LoadingState, ProblemAlert } from '../../../feedback';
import { useMay } from '../../../session/use-me';
import { useCredentials, type Consumer } from '../use-consumers';
import { ComparisonForm } from './comparison-form';

/** Finds out why a customer computes another signature. */
export function SignatureTab({ consumer }: { consumer: Consumer }) {
  const isOnCall = useMay('oncall');
  const deliveryId = useSearchParams()[0].get('delivery');
  const { id } = consumer;
  const { data: versions } = useCredentials(id);
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
        <ComparisonForm
          whose="theirs"
          url={consumer.url}
          versions={versions ?? []}
          signed={data ?? null}
          compare={async (body) => {
            const answer = await explain(id, body);
            return answer.kind === 'comparison' ? answer : null;
          }}
        />
      )}
    </Stack>
  );
}

/** Each request is an entry in the audit log. */
const explain = (id: string, body: Schema<'ExplainSignatureDto'>) =>
  answerOf(api.POST('/v1/consumers/{id}/explain-signature', { params: { path: { id } }, body }));
