import { Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schema } from '../../api';
import { QueryState } from '../../feedback';
import { useMomentInWords } from '../../formats';
import {
  SHOWN_IN_FULL,
  SignatureExplanation,
  useExplanation,
} from '../consumers/signature/signature-explanation';

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
  const explanation = useExplanation(consumerId, deliveryId, attempt);
  return (
    <Stack>
      <Text>
        Compare this with what the consumer computes, from top to bottom: the first difference is the cause.
        The secret itself is never shown. {SHOWN_IN_FULL}
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
