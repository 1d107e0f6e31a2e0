import { Alert, Button, Text } from '@mantine/core';
import { IconUrgent } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { EmptyState, QueryState } from '../../feedback';
import { TextLink, Time } from '../../formats';
import { Page } from '../../page/page';
import { useMay, useMe } from '../../signed-in/use-me';
import { OpenIssuesNote } from '../issues/open-issues';
import { NewUnroutedEvents } from '../payments/new-unrouted-events';
import { WaitingUrlRequests } from '../url-requests/waiting-url-requests';
import { AttentionTable } from './attention-table';
import { BacklogPanel } from './backlog-panel';
import { Figures } from './figures';
import { HistoryPanel } from './history-panel';
import { PausedAlert, PauseSending, SendingBadge } from './sending-panel';
import { MissingWorkers } from './missing-workers';
import { SystemPanel } from './system-panel';
import { QUEUE } from '../../queries/queue-query';

export function OverviewPage() {
  return useMay('viewer') ? <Overview /> : <ProducerWelcome />;
}

/** Five figures, then the consumers that need attention, worst first. */
function Overview() {
  const query = useQuery(QUEUE);
  const { data } = query;
  return (
    <Page
      title="Overview"
      about={
        data !== undefined && (
          <>
            <SendingBadge sending={data.sending} workers={data.workers} /> As of <Time at={data.asOf} />.
          </>
        )
      }
      actions={data?.sending.state === 'active' && <PauseSending />}
    >
      <QueryState query={query} what="overview" />
      {data !== undefined && (
        <>
          {data.workers.length === 0 && <WorkersAlarm />}
          <MissingWorkers {...data} />
          <PausedAlert sending={data.sending} />
          <OpenIssuesNote />
          <WaitingUrlRequests />
          <Figures figures={data.figures} backlog={data.backlog} />
          <AttentionTable rows={data.trouble} total={data.troubleTotal} />
          <NewUnroutedEvents {...data.unrouted}>
            <TextLink to="/payments?unrouted=true">See unrouted events</TextLink>
          </NewUnroutedEvents>
          <BacklogPanel {...data} />
          <HistoryPanel />
          <SystemPanel {...data} />
        </>
      )}
    </Page>
  );
}

/** Nothing is sent without a worker. */
function WorkersAlarm() {
  return (
    <Alert
      color="red"
      variant="filled"
      role="alert"
      icon={<IconUrgent />}
      title="No worker is alive: nothing is sent"
    >
      <Text size="sm">
        Events are accepted and nothing is lost, but no notification is sent. Start a worker (npm run
        start:worker, or restart its deployment). If workers run, see their logs: they may not reach
        PostgreSQL.
      </Text>
    </Alert>
  );
}

/** For keys that may only post events and read them back. */
function ProducerWelcome() {
  const { data: me } = useMe();
  return (
    <Page title="Welcome">
      <EmptyState title="Payments">
        You are signed in as “{me?.name}”, which reports status changes. Payments shows what you have posted
        and whether it was delivered. The overview needs the role viewer.
        <div>
          <Button component={Link} to="/payments" mt="md">
            Go to Payments
          </Button>
        </div>
      </EmptyState>
    </Page>
  );
}
