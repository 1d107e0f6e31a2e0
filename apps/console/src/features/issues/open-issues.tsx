import { Alert, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { TextLink } from '../../formats';
import { useIssues } from './issue-queries';
import { ISSUE_KINDS, type Issue } from './issue-words';

/** More are only counted as “or more”. */
const COUNTED = 100;

/** How many issues nobody has acknowledged; nothing when there are none. */
export function OpenIssuesNote() {
  const { data } = useIssues({ state: 'open', limit: COUNTED });
  const count = data?.issues.length ?? 0;
  if (count === 0) return null;
  const counted = data?.pagination.moreRecords === true ? `${String(count)} or more` : String(count);
  return (
    <Alert color="red" p="xs" icon={<IconAlertCircle />}>
      <Text size="sm">
        <Text span inherit fw={700}>
          {counted} open {count === 1 ? 'issue' : 'issues'}
        </Text>
        , not acknowledged yet. <TextLink to="/issues?state=open">See open issues</TextLink>
      </Text>
    </Alert>
  );
}

/** The unresolved issues of a consumer, and who takes care of them; nothing when there are none. */
export function ConsumerIssues({ consumerId }: { consumerId: string }) {
  const { data } = useIssues({ consumerId, state: 'unresolved', limit: COUNTED });
  const unresolved = data?.issues ?? [];
  if (unresolved.length === 0) return null;
  return (
    <Alert color="red" p="xs" icon={<IconAlertCircle />} title="Issues">
      {unresolved.map((issue) => (
        <Text key={issue.id} size="sm">
          <TextLink to={`/issues/${issue.id}`}>{ISSUE_KINDS[issue.kind].label}</TextLink>: {careOf(issue)}
        </Text>
      ))}
    </Alert>
  );
}

const careOf = ({ acknowledgedBy, note }: Issue): string =>
  acknowledgedBy === null
    ? 'not acknowledged yet'
    : `acknowledged by ${acknowledgedBy}${note === null ? '' : `: ${note}`}`;
