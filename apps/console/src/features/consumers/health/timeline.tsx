import { Text, Timeline as Line, Title } from '@mantine/core';
import { IconAlertTriangle, IconUserEdit } from '@tabler/icons-react';
import { LoadingState } from '../../../feedback/loading-state';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { ChangeInWords } from './change-in-words';
import { FailuresInWords } from './failures-in-words';
import { momentsOf, useChanges, useFailures } from './use-timeline';

/** The failures of the last day by cause, among what people changed: the one often explains the other. */
export function Timeline({ consumerId }: { consumerId: string }) {
  const failures = useFailures(consumerId);
  const changes = useChanges(consumerId);
  const error = failures.error ?? changes.error;
  const isLoading = failures.data === undefined && changes.data === undefined && error === null;
  const moments = momentsOf(failures.data?.failures ?? [], changes.data?.entries ?? []);
  return (
    <section aria-label="Failures and changes">
      <Title order={2} size="h4">
        Failures and changes
      </Title>
      <Text c="dimmed" mb="sm">
        Failed attempts of the last 24 hours by cause, and changes by people. Newest first.
        {failures.data?.attemptsAreCapped === true &&
          ` Only the newest ${String(failures.data.attemptsSeen)} failed attempts are counted.`}
      </Text>
      {error !== null && (
        <ProblemAlert
          error={error}
          title="Part of this cannot be read"
          onRetry={() => void Promise.all([failures.refetch(), changes.refetch()])}
        />
      )}
      {isLoading && <LoadingState what="failures and changes" />}
      {!isLoading && moments.length === 0 && <Text>No failures in the last 24 hours, and no changes.</Text>}
      <Line bulletSize={26} lineWidth={2} active={-1}>
        {moments.map((moment) =>
          moment.kind === 'failures' ? (
            <Line.Item
              key={`${moment.group.outcome} ${String(moment.group.httpStatus)}`}
              bullet={
                <IconAlertTriangle size={16} color="var(--mantine-color-error)" aria-label="Failures" />
              }
            >
              <FailuresInWords group={moment.group} />
            </Line.Item>
          ) : (
            <Line.Item key={moment.entry.id} bullet={<IconUserEdit size={16} aria-label="Change" />}>
              <ChangeInWords entry={moment.entry} />
            </Line.Item>
          ),
        )}
      </Line>
    </section>
  );
}
