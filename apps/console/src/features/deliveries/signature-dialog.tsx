import { Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schema } from '../../api/schema';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { useMomentInWords } from '../../formats/time';
import { SignatureExplanation } from './signature-explanation';
import { useSignatureExplanation } from './use-signature-explanation';

interface SignatureDialogProps {
  opened: boolean;
  onClose: () => void;
  delivery: Schema<'DeliveryDetailDto'>;
}

/** Settles a consumer's "your signature is wrong": what exactly was signed in an attempt. */
export function SignatureDialog({ opened, onClose, delivery }: SignatureDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Explain the signature"
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {opened && <OfAttempt delivery={delivery} />}
    </Modal>
  );
}

function OfAttempt({ delivery }: { delivery: Schema<'DeliveryDetailDto'> }) {
  const { consumerId, deliveryId, attempts } = delivery;
  // The one that was last when this was opened: a new attempt must not change what is being read.
  const [attempt, setAttempt] = useState(attempts.at(-1)?.number ?? 1);
  const inWords = useMomentInWords();
  const { data, error, refetch } = useSignatureExplanation({ consumerId, deliveryId, attempt });
  return (
    <Stack>
      <Text>
        Compare this with what the consumer computes, from top to bottom: the first difference is the cause.
        The secret itself is never shown. That you looked is kept in the audit log.
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
      {error !== null && (
        <ProblemAlert error={error} title="Cannot be explained" onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <LoadingState what="the signature" />}
      {data !== undefined && <SignatureExplanation explanation={data} />}
    </Stack>
  );
}
