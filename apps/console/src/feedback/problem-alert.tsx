import { Alert, Button, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ProblemError } from '../api';

interface ProblemAlertProps {
  error: Error;
  title?: string;
  /** The name of the data, e.g. `Delivery`, for a 404. */
  what?: string;
  /** Repeats the request, from a button. */
  onRetry?: () => void;
}

/** An error: its message, the faulty fields, and the request id for the logs. */
export function ProblemAlert({ error, title, what = 'Record', onRetry }: ProblemAlertProps) {
  const problem = error instanceof ProblemError ? error : null;
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle />} title={title ?? titleOf(problem, what)}>
      <Text size="sm">
        {problem?.message ?? 'The api did not answer. Is it running, and can this browser reach it?'}
      </Text>
      {problem !== null && problem.errors.length > 0 && (
        <List size="sm" mt="xs">
          {problem.errors.map(({ field, message }) => (
            <List.Item key={`${field} ${message}`}>
              <code>{field}</code> {message}
            </List.Item>
          ))}
        </List>
      )}
      {problem?.requestId != null && (
        <Text size="sm" mt="xs">
          In the logs: requestId {problem.requestId}
        </Text>
      )}
      {onRetry !== undefined && (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Invalid input',
  401: 'Not allowed',
  403: 'Not allowed',
  409: 'Changed in the meantime',
  422: 'Invalid input',
};

function titleOf(problem: ProblemError | null, what: string): string {
  if (problem === null) return 'No answer';
  return problem.status === 404 ? `${what} not found` : (TITLES[problem.status] ?? 'Error');
}
