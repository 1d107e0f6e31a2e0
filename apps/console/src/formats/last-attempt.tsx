import { Text } from '@mantine/core';
import type { Schema } from '../api';
import { outcomeInWords } from './outcome-in-words';

interface LastAttemptProps {
  attempts: readonly Pick<Schema<'AttemptDto'>, 'outcome' | 'httpStatus' | 'advice'>[];
}

/** Why the last attempt failed, and the advice. */
export function LastAttempt({ attempts }: LastAttemptProps) {
  const last = attempts.at(-1);
  if (last === undefined || last.outcome === 'acknowledged') return null;
  return (
    <Text>
      <strong>Last attempt:</strong> {outcomeInWords(last.outcome, last.httpStatus)}. {last.advice}
    </Text>
  );
}
