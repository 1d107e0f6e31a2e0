import { Alert, Anchor, Tabs } from '@mantine/core';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { ProblemError } from '../../api/problem-error';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { CopyButton } from '../../formats/exact-text';
import { Time } from '../../formats/time';
import { Page } from '../../layout/page';
import { ConsumerActions, isNotLiveYet } from './consumer-actions';
import { CredentialsTab } from './credentials/credentials-tab';
import { HealthBadge } from './health-words';
import { HealthTab } from './health/health-tab';
import { KeysTab } from './keys/keys-tab';
import { SettingsTab } from './settings/settings-tab';
import { SignatureTab } from './signature/signature-tab';
import type { Consumer } from './use-all-consumers';
import { useConsumer } from './use-consumer';

const TABS = [
  { value: 'health', label: 'Health', Content: HealthTab },
  { value: 'settings', label: 'Settings', Content: SettingsTab },
  { value: 'credentials', label: 'Credentials', Content: CredentialsTab },
  { value: 'keys', label: 'API keys', Content: KeysTab },
  { value: 'signature', label: 'Signature', Content: SignatureTab },
] as const;

/** One consumer; which of its tabs is open stands in the URL. */
export function ConsumerPage() {
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { data: consumer, error, refetch } = useConsumer(id);
  if (consumer === undefined) {
    if (error === null) return <LoadingState what="the consumer" />;
    if (error instanceof ProblemError && [400, 404].includes(error.status)) return <NoSuchConsumer />;
    return <ProblemAlert error={error} title="The consumer cannot be read" onRetry={() => void refetch()} />;
  }
  const tab = TABS.find(({ value }) => value === search.get('tab'))?.value ?? 'health';
  return (
    <Page
      title={consumer.name}
      about={
        <>
          <HealthBadge health={consumer.health} />{' '}
          {consumer.externalId !== null && `${consumer.externalId} · `}
          {consumer.url} <CopyButton value={consumer.id} what="the consumer’s ID" />
        </>
      }
      actions={<ConsumerActions consumer={consumer} />}
    >
      {error !== null && <ProblemAlert error={error} title="This may be out of date" />}
      <PauseNotice consumer={consumer} />
      <Tabs
        value={tab}
        onChange={(value) => void navigate(value === 'health' ? '?' : `?tab=${value ?? ''}`)}
        keepMounted={false}
      >
        <Tabs.List aria-label="About this consumer">
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ value, Content }) => (
          <Tabs.Panel key={value} value={value} pt="md">
            <Content consumer={consumer} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

/** Says above every tab that nothing is sent, and until when. */
function PauseNotice({ consumer }: { consumer: Consumer }) {
  const { state, pausedUntil, pauseReason } = consumer;
  if (state !== 'paused') return null;
  if (isNotLiveYet(consumer))
    return (
      <Alert color="blue" variant="outline" title="Not live yet">
        It was registered paused; its deliveries are held. Hand the signing secret to the customer, send a
        test, then go live.
      </Alert>
    );
  const until =
    pausedUntil === null ? (
      'until somebody resumes it'
    ) : (
      <>
        until <Time at={pausedUntil} />
      </>
    );
  return (
    <Alert color="yellow" variant="outline" title={<>Paused {until}</>}>
      {pauseReason}
    </Alert>
  );
}

function NoSuchConsumer() {
  return (
    <EmptyState title="Consumer not found">
      It was removed, or the address is wrong. Deliveries to a removed consumer stay under Deliveries.{' '}
      <Anchor component={Link} to="/consumers">
        All consumers
      </Anchor>
    </EmptyState>
  );
}
