import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { answerOf, api, type Schema } from '../../api';
import { QueryState } from '../../feedback';
import { Age, BEGAN, ContactLink, countInWords, Fact, HealthBadge, TextLink, Time } from '../../formats';
import { Page } from '../../page/page';
import { useConsumer } from '../../queries/use-consumers';
import { useMay } from '../../signed-in/use-me';
import { AcknowledgeIssues, ResolveIssue } from './issue-actions';
import { ISSUES_KEY } from './issue-queries';
import { IssueMessages } from './issue-messages';
import { IssueKindBadge, IssueStateBadge, nameOfIssue, SEVERITIES } from './issue-words';

/** One issue: what was observed, what to do, whom to call, and what was done. */
export function IssuePage() {
  const { id = '' } = useParams();
  const query = useQuery({
    queryKey: [...ISSUES_KEY, 'one', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/issues/{id}', { params: { path: { id } }, signal })),
  });
  const { data } = query;
  const isOnCall = useMay('oncall');
  return (
    <Page
      title={data === undefined ? 'Issue' : nameOfIssue(data)}
      about={<TextLink to="/issues">All issues</TextLink>}
      actions={
        isOnCall &&
        data !== undefined &&
        data.state !== 'resolved' && (
          <Group gap="xs">
            <AcknowledgeIssues issues={[data]} />
            <ResolveIssue issue={data} />
          </Group>
        )
      }
    >
      <QueryState query={query} what="issue" />
      {data !== undefined && <IssueDetails issue={data} />}
    </Page>
  );
}

/** The consumer's health now, since the issue has the words of its opening. */
function Present({ consumerId }: { consumerId: string }) {
  const { data } = useConsumer(consumerId);
  if (data === undefined) return null;
  const { state, since, summary } = data.health;
  return (
    <>
      <Text component="div">
        <strong>Now:</strong> <HealthBadge health={data.health} /> {summary}
      </Text>
      {since !== null && (
        <Text>
          {BEGAN[state]}: <Age at={since} />
        </Text>
      )}
    </>
  );
}

function IssueDetails({ issue }: { issue: Schema<'IssueDetailDto'> }) {
  return (
    <Stack gap="lg" maw={820}>
      <Group>
        <IssueKindBadge {...issue} />
        <IssueStateBadge {...issue} />
      </Group>
      <div>
        <Text>
          <strong>When it was opened:</strong> {issue.summary}
        </Text>
        {issue.state !== 'resolved' && issue.consumerId !== null && <Present consumerId={issue.consumerId} />}
        {issue.state !== 'resolved' && <Text fw={600}>{issue.advice}</Text>}
      </div>
      <SimpleGrid component="dl" cols={{ base: 1, sm: 2 }} m={0} spacing="md">
        {issue.consumerId !== null && (
          <>
            <Fact name="Consumer">
              <TextLink to={`/consumers/${issue.consumerId}`}>
                {issue.consumerName}: its present health
              </TextLink>
            </Fact>
            <Fact name="Contact">
              <ContactLink contact={issue.contact} />
            </Fact>
          </>
        )}
        <Fact name="Severity">{SEVERITIES[issue.severity].label}</Fact>
        {issue.waiting !== null && <Fact name="Waiting deliveries">{countInWords(issue.waiting)}</Fact>}
        {issue.dead !== null && <Fact name="Dead deliveries to handle">{countInWords(issue.dead)}</Fact>}
        <Fact name="Issue opened">
          <Time at={issue.openedAt} />
        </Fact>
        <Fact name="Condition ended">
          <Time at={issue.endedAt} absent="It lasts" />
        </Fact>
        <Fact name="Acknowledged">
          {issue.acknowledgedAt === null ? (
            'Not yet'
          ) : (
            <>
              <Time at={issue.acknowledgedAt} /> by {issue.acknowledgedBy}
              {issue.note !== null && `: ${issue.note}`}
            </>
          )}
        </Fact>
        <Fact name="Resolved">
          {issue.resolvedAt === null ? (
            'Not yet'
          ) : (
            <>
              <Time at={issue.resolvedAt} />{' '}
              {issue.resolvedBy === null
                ? 'automatically'
                : `by ${issue.resolvedBy}: ${issue.resolution ?? ''}`}
            </>
          )}
        </Fact>
      </SimpleGrid>
      <IssueMessages messages={issue.messages} />
    </Stack>
  );
}
