import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../../api';
import { EmptyState, QueryState } from '../../../feedback';
import { countInWords, outcomeInWords, TextLink, Time } from '../../../formats';
import { Section } from '../../../page/section';
import { type Column, DataTable } from '../../../tables';
import { OWN } from '../own-queries';

type Failure = Schema<'FailureGroupDto'>;

const COLUMNS: readonly Column<Failure>[] = [
  {
    header: 'Your server',
    cell: ({ outcome, httpStatus }) => <strong>{outcomeInWords(outcome, httpStatus)}</strong>,
  },
  { header: 'Attempts', cell: ({ count }) => countInWords(count), isNumber: true },
  { header: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
  { header: 'What to do', cell: ({ advice }) => advice },
  {
    header: 'Example',
    cell: ({ lastDeliveryId, outcome }) => (
      <TextLink to={`/portal/deliveries/${lastDeliveryId}`} aria-label={`Last delivery with ${outcome}`}>
        Delivery
      </TextLink>
    ),
  },
];

/** Why attempts failed, by cause, with advice. */
export function RecentFailures({ consumerId }: { consumerId: string }) {
  const query = useQuery({
    queryKey: [OWN, 'failures'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/consumers/{id}/failures', { params: { path: { id: consumerId } }, signal })),
  });
  const { data } = query;
  return (
    <Section title="Failed attempts of the last 24 hours">
      <QueryState query={query} what="failures" />
      {data?.failures.length === 0 && (
        <EmptyState title="None">
          Your server has accepted every notification at the first attempt.
        </EmptyState>
      )}
      {data !== undefined && data.failures.length > 0 && (
        <DataTable
          caption="Failed attempts by cause"
          columns={COLUMNS}
          rows={data.failures}
          rowId={({ outcome, httpStatus }) => `${outcome} ${String(httpStatus)}`}
        />
      )}
      {data?.attemptsAreCapped === true && (
        <Text size="sm">Only the newest {countInWords(data.attemptsSeen)} failed attempts were read.</Text>
      )}
    </Section>
  );
}
