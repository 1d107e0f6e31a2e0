import { Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { EmptyState } from '../../../feedback/empty-state';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { useMay } from '../../../session/use-may';
import type { ConsumerTabProps } from '../consumer-tab';
import { ComparisonForm } from './comparison-form';
import { ComparisonResult } from './comparison-result';
import { compareSignature, type PastedSignature } from './compare-signature';

/** Finds out why a customer comes to another signature: what the customer has signed instead. */
export function SignatureTab({ consumer }: ConsumerTabProps) {
  const isOnCall = useMay('oncall');
  const client = useQueryClient();
  const comparing = useMutation({
    mutationFn: (pasted: PastedSignature) => compareSignature(consumer.id, pasted),
    onSettled: () => client.invalidateQueries({ queryKey: ['audit'] }),
  });
  if (!isOnCall)
    return (
      <EmptyState title="This needs the role oncall">
        It may show parts of a payment in full. Ask somebody on call to compare a signature.
      </EmptyState>
    );
  return (
    <Stack maw={860}>
      <Text>
        The customer says that the signature does not match? Paste the signature that the customer computes,
        and what it is computed over. You are shown whether it is the right one for that, and if not, what the
        customer does differently. The right signature and the secret are not shown. To see what was signed in
        a delivery of ours, open that delivery.
      </Text>
      <ComparisonForm
        consumer={consumer}
        isComparing={comparing.isPending}
        error={comparing.error}
        onCompare={(pasted) => comparing.mutate(pasted)}
        onChange={() => comparing.reset()}
      />
      {comparing.error !== null && <ProblemAlert error={comparing.error} title="It cannot be compared" />}
      <div role="status">
        {comparing.data !== undefined && <ComparisonResult comparison={comparing.data} />}
      </div>
    </Stack>
  );
}
