import { Anchor, Text, Timeline as Line, Title } from '@mantine/core';
import { IconAlertTriangle, IconUserEdit } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { answerOf, api, type Schema } from '../../../api';
import { LoadingState } from '../../../feedback/loading-state';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { OutcomeInWords } from '../../../formats/outcome-in-words';
import { Time } from '../../../formats/time';
import { useMay } from '../../../session/use-me';
import { ChangeInWords } from './change-in-words';

/** What went wrong and what was changed, on one line of time. */
type Moment =
  | { readonly kind: 'failures'; readonly at: string; readonly group: Schema<'FailureGroupDto'> }
  | { readonly kind: 'change'; readonly at: string; readonly entry: Schema<'AuditEntryDto'> };

const ASK_EVERY_MS = 10_000;
const NEWEST_CHANGES = 30;

function useFailures(id: string) {
  return useQuery({
    queryKey: ['consumers', id, 'failures'],
    refetchInterval: ASK_EVERY_MS,
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/consumers/{id}/failures', { params: { path: { id } }, signal })),
  });
}

function useChanges(id: string) {
  return useQuery({
    queryKey: ['audit', id],
    refetchInterval: ASK_EVERY_MS,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/audit', {
          params: { query: { target: `consumer:${id}`, limit: NEWEST_CHANGES } },
          signal,
        }),
      ),
  });
}

/** The newest first; a group of failures is placed at its last one. */
function momentsOf(
  failures: readonly Schema<'FailureGroupDto'>[],
  entries: readonly Schema<'AuditEntryDto'>[],
): Moment[] {
  return [
    ...failures.map((group): Moment => ({ kind: 'failures', at: group.lastAt, group })),
    ...entries.map((entry): Moment => ({ kind: 'change', at: entry.at, entry })),
  ].toSorted((a, b) => b.at.localeCompare(a.at));
}

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

/** One cause: how often, since when, and what to do about it. */
function FailuresInWords({ group }: { group: Schema<'FailureGroupDto'> }) {
  const isOnCall = useMay('oncall');
  const { outcome, httpStatus, count, deliveries, firstAt, lastAt, advice, lastDetail, lastDeliveryId } =
    group;
  return (
    <Text component="div">
      <strong>
        <OutcomeInWords outcome={outcome} httpStatus={httpStatus} />
        {`: ${count === 1 ? 'once' : `${String(count)} times`}`}
      </strong>{' '}
      {deliveries > 1 && `in ${String(deliveries)} deliveries, `}last <Time at={lastAt} />
      {count > 1 && (
        <>
          , first <Time at={firstAt} />
        </>
      )}
      .<div style={{ overflowWrap: 'anywhere' }}>{lastDetail}</div>
      <div>
        <strong>What to do:</strong> {advice}{' '}
        <Anchor component={Link} to={`/deliveries/${lastDeliveryId}`}>
          Last failed delivery
        </Anchor>
        {isOnCall && (httpStatus === 401 || httpStatus === 403) && (
          <>
            {' · '}
            <Anchor component={Link} to={`?tab=signature&delivery=${lastDeliveryId}`}>
              Compare their signature
            </Anchor>
          </>
        )}
      </div>
    </Text>
  );
}
