import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Time } from '../../formats/time';
import { Page } from '../../layout/page';
import { useMay } from '../../session/use-may';
import { BacklogPanel } from './backlog-panel';
import { HistoryPanel } from './history-panel';
import { MachineryPanel } from './machinery-panel';
import { ProducerWelcome } from './producer-welcome';
import { RatesPanel } from './rates-panel';
import { SendingPanel } from './sending-panel';
import { TroubleList } from './trouble-list';
import { UnroutedNote } from './unrouted-note';
import { useQueue } from './use-queue';
import { WorkersAlarm } from './workers-alarm';

export function OverviewPage() {
  return useMay('viewer') ? <Overview /> : <ProducerWelcome />;
}

/** What somebody who was just woken needs to know, the worst first. */
function Overview() {
  const { data, error, refetch } = useQueue();
  return (
    <Page
      title="Overview"
      about={
        data === undefined ? (
          'What is wrong, the worst first, and what to do about it.'
        ) : (
          <>
            What is wrong, the worst first, as of <Time at={data.asOf} />.
          </>
        )
      }
    >
      {error !== null && (
        <ProblemAlert
          error={error}
          title="The dispatcher’s state cannot be read"
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <LoadingState what="how the dispatcher is" />}
      {data !== undefined && (
        <>
          <WorkersAlarm workers={data.workers} />
          <SendingPanel sending={data.sending} />
          <TroubleList trouble={data.trouble} />
          <UnroutedNote unrouted={data.unrouted} />
          <RatesPanel rates={data.rates} />
          <BacklogPanel states={data.states} />
          <HistoryPanel />
          <MachineryPanel workers={data.workers} agreement={data.agreement} />
        </>
      )}
    </Page>
  );
}
