import { Stack, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { EmptyState, LoadingState, ProblemAlert } from '../../../feedback';
import { LastAttempt } from '../../../formats';
import { useMay } from '../../../signed-in/use-me';
import { useCredentials, type Consumer } from '../../../queries/use-consumers';
import { useDelivery } from '../../../queries/use-delivery';
import { ComparisonForm } from './comparison-form';
import { compare, SHOWN_IN_FULL, useExplanation } from './signature-explanation';

/** Finds out why a customer computes another signature. */
export function SignatureTab({ consumer }: { consumer: Consumer }) {
  const isOnCall = useMay('oncall');
  const deliveryId = useSearchParams()[0].get('delivery');
  const { id } = consumer;
  const { data: versions } = useCredentials(id);
  const { data, error, isLoading } = useExplanation(id, isOnCall ? deliveryId : null);
  const { data: delivery } = useDelivery(isOnCall ? deliveryId : null);
  if (!isOnCall)
    return (
      <EmptyState title="Comparing signatures needs the role oncall">
        The comparison can show parts of a payment. Ask a colleague on call.
      </EmptyState>
    );
  return (
    <Stack maw={860}>
      {delivery !== undefined && <LastAttempt attempts={delivery.attempts} />}
      <Text>
        The customer reports that our signature does not match? Paste the signature that the customer computes
        and the text it is computed from. The answer says whether they match, and if not, what the customer
        does differently. Neither the secret nor our signature of a pasted text is shown.
      </Text>
      {data !== undefined && <Text fw={600}>{SHOWN_IN_FULL}</Text>}
      {error !== null && <ProblemAlert error={error} title="The delivery’s text cannot be read" />}
      {isLoading ? (
        <LoadingState what="the delivery’s text" />
      ) : (
        <ComparisonForm
          whose="theirs"
          url={consumer.url}
          versions={versions ?? []}
          signed={data ?? null}
          compare={(body) => compare(id, body)}
        />
      )}
    </Stack>
  );
}
