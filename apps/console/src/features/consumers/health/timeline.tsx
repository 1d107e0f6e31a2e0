import { List, Text, Timeline as Line } from '@mantine/core';
import { IconAlertTriangle, IconUserEdit } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../../api';
import { LoadingState, ProblemAlert } from '../../../feedback';
import { outcomeInWords, TextLink, Time } from '../../../formats';
import { Section } from '../../../page/section';
import { useMay } from '../../../signed-in/use-me';
import { sentenceOf, type AuditEntry } from '../../audit/audit-actions';
import { actorOf, labelOf, targetOf, valueInWords } from '../../audit/entry-in-words';
import type { Consumer } from '../../../queries/use-consumers';

const ASK_EVERY_MS = 10_000;
const NEWEST_CHANGES = 30;

/** The failures of the last day by cause, among the changes by people: the one often explains the other. Newest first. */
export function Timeline({ consumer: { id, health } }: { consumer: Consumer }) {
  const failures = useQuery({
    queryKey: ['consumers', id, 'failures'],
    refetchInterval: ASK_EVERY_MS,
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/consumers/{id}/failures', { params: { path: { id } }, signal })),
  });
  const query = { target: `consumer:${id}`, limit: NEWEST_CHANGES };
  const changes = useQuery({
    queryKey: ['audit', id],
    refetchInterval: ASK_EVERY_MS,
    queryFn: ({ signal }) => answerOf(api.GET('/v1/audit', { params: { query }, signal })),
  });
  const error = failures.error ?? changes.error;
  const isLoading = failures.data === undefined && changes.data === undefined && error === null;
  const moments = [
    ...(failures.data?.failures ?? []).map((group) => ({
      key: `${group.outcome} ${String(group.httpStatus)}`,
      // A group of failures is placed at its last one.
      at: group.lastAt,
      bullet: <IconAlertTriangle size={16} color="var(--mantine-color-error)" aria-label="Failures" />,
      content: <FailuresInWords group={group} isAdviceShown={!health.advice.includes(group.advice)} />,
    })),
    ...(changes.data?.entries ?? []).map((entry) => ({
      key: entry.id,
      at: entry.at,
      bullet: <IconUserEdit size={16} aria-label="Change" />,
      content: <ChangeInWords entry={entry} />,
    })),
  ].toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <Section title="Failures and changes">
      <Text c="dimmed">
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
        {moments.map(({ key, bullet, content }) => (
          <Line.Item key={key} bullet={bullet}>
            {content}
          </Line.Item>
        ))}
      </Line>
    </Section>
  );
}

interface FailuresInWordsProps {
  group: Schema<'FailureGroupDto'>;
  /** False if the health above has the same advice. */
  isAdviceShown: boolean;
}

/** One cause: how often, since when, and what to do about it. */
function FailuresInWords({ group, isAdviceShown }: FailuresInWordsProps) {
  const isOnCall = useMay('oncall');
  const { outcome, httpStatus, count, deliveries, firstAt, lastAt, advice, lastDetail, lastDeliveryId } =
    group;
  return (
    <Text component="div">
      <strong>{`${outcomeInWords(outcome, httpStatus)}: ${count === 1 ? 'once' : `${String(count)} times`}`}</strong>{' '}
      {deliveries > 1 && `in ${String(deliveries)} deliveries, `}last <Time at={lastAt} />
      {count > 1 && (
        <>
          , first <Time at={firstAt} />
        </>
      )}
      .<div style={{ overflowWrap: 'anywhere' }}>{lastDetail}</div>
      <div>
        {isAdviceShown && (
          <>
            <strong>What to do:</strong> {advice}{' '}
          </>
        )}
        <TextLink to={`/deliveries/${lastDeliveryId}`}>Last failed delivery</TextLink>
        {isOnCall && (httpStatus === 401 || httpStatus === 403) && (
          <>
            {' · '}
            <TextLink to={`?tab=signature&delivery=${lastDeliveryId}`}>Compare their signature</TextLink>
          </>
        )}
      </div>
    </Text>
  );
}

/** One entry of the audit log about this consumer, with the fields that it changed. */
function ChangeInWords({ entry }: { entry: AuditEntry }) {
  const { role, action, at, reason, before, after, details } = entry;
  const [first, last] = sentenceOf(entry);
  const { activateAt } = details;
  return (
    <Text component="div">
      <strong>{`${actorOf(entry)} ${first}${targetOf(entry).name}${last}`}</strong>
      {role !== null && ` (${role})`} <Time at={at} />
      {reason !== null && <div>“{reason}”</div>}
      {action === 'credentials.added' && after === null && typeof activateAt === 'string' && (
        <Text size="sm">
          Effective from <Time at={activateAt} />.
        </Text>
      )}
      {after !== null && (
        <List size="sm">
          {Object.entries(after).map(([field, value]) => (
            <List.Item key={field} style={{ overflowWrap: 'anywhere' }}>
              {labelOf(field)}: {valueInWords(before?.[field])} → {valueInWords(value)}
            </List.Item>
          ))}
        </List>
      )}
    </Text>
  );
}
