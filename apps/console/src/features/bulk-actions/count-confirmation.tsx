import { TextInput } from '@mantine/core';
import { countInWords } from '../../formats/count-in-words';

/** More deliveries than this are confirmed by typing how many they are. */
const MOST_UNTYPED = 100;

interface CountConfirmationProps {
  count: number;
  typed: string;
  onType: (typed: string) => void;
}

/** Asks to type a large count, so that nobody starts an action on more deliveries than they mean; nothing for a small one. */
export function CountConfirmation({ count, typed, onType }: CountConfirmationProps) {
  if (count <= MOST_UNTYPED) return null;
  return (
    <TextInput
      label="How many deliveries"
      description={`Type ${countInWords(count)} to confirm.`}
      required
      inputMode="numeric"
      autoComplete="off"
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}

/** Whether a count is small, or was typed; `1,000`, `1 000` and `1000` are the same. */
export const isConfirmed = (count: number, typed: string): boolean =>
  count <= MOST_UNTYPED || typed.replaceAll(/[\s,.]/g, '') === String(count);
