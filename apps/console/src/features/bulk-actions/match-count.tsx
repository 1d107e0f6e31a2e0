import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ProblemAlert } from '../../feedback/problem-alert';
import { deliveriesInWords } from '../../formats/count-in-words';
import type { useBulkPreview } from './use-bulk-preview';

/** How many deliveries match, or why nobody knows and what to do. */
export function MatchCount({ preview }: { preview: ReturnType<typeof useBulkPreview> }) {
  const { data, error, isFetching, refetch } = preview;
  const matched = isFetching ? undefined : data?.matched;
  return (
    <>
      <Text fw={700} size="lg" role="status">
        {isFetching && 'Counting …'}
        {typeof matched === 'number' &&
          `${deliveriesInWords(matched)} ${matched === 1 ? 'matches' : 'match'}`}
        {matched === null && 'The deliveries that match could not be counted in five seconds'}
      </Text>
      {matched === null && (
        <Alert
          color="yellow"
          variant="outline"
          icon={<IconAlertTriangle />}
          title="Count again, or narrow the filters"
        >
          <Text size="sm">
            Nothing is started here on an unknown number of deliveries. Choose one consumer, or a shorter time
            from and before.
          </Text>
          <Button size="xs" variant="default" mt="sm" onClick={() => void refetch()}>
            Count again
          </Button>
        </Alert>
      )}
      {error !== null && !isFetching && (
        <ProblemAlert error={error} title="Could not count" onRetry={() => void refetch()} />
      )}
    </>
  );
}
