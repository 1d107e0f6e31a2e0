import { Alert, Stack, Tabs } from '@mantine/core';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { ProblemError } from '../../api';
import { EmptyState, ProblemAlert, QueryState } from '../../feedback';
import { CopyButton, TextLink, Time, HealthBadge } from '../../formats';
import { Page } from '../../page/page';
import { ConsumerIssues } from '../issues/open-issues';
import { HistoryPanel } from '../overview/history-panel';
import { ConsumerActions, isNotLiveYet } from './consumer-actions';
import { CredentialsTab } from './credentials/credentials-tab';
import { Backlog } from './health/backlog';
import { CertificatesCard } from './health/certificates-card';
import { HealthCard } from './health/health-card';
import { Timeline } from './health/timeline';
import { useOutages } from './health/outages';
import { KeysTab } from './keys/keys-tab';
import { PortalTab } from './portal/portal-tab';
import { SettingsTab } from './settings/settings-tab';
import { SignatureTab } from './signature/signature-tab';
import { useConsumer, type Consumer } from '../../queries/use-consumers';

const TABS = [
  { value: 'health', label: 'Health', Content: HealthTab },
  { value: 'settings', label: 'Settings', Content: SettingsTab },
  { value: 'credentials', label: 'Credentials', Content: CredentialsTab },
  { value: 'keys', label: 'API keys', Content: KeysTab },
  { value: 'portal', label: 'Portal', Content: PortalTab },
  { value: 'signature', label: 'Signature', Content: SignatureTab },
] as const;

/** One consumer; the open tab is in the URL. */
export function ConsumerPage() {
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const query = useConsumer(id);
  const { data: consumer, error } = query;
  if (error instanceof ProblemError && [400, 404].includes(error.status))
    return (
      <EmptyState title="Consumer not found">
        It was removed, or the address is wrong. Deliveries to a removed consumer stay under Deliveries.{' '}
        <TextLink to="/consumers">All consumers</TextLink>
      </EmptyState>
    );
  if (consumer === undefined) return <QueryState query={query} what="consumer" />;
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

/** The first tab, for the person on call: what is wrong and whom to call, since when, what led to it, and the backlog. */
function HealthTab({ consumer }: { consumer: Consumer }) {
  const outages = useOutages(consumer);
  return (
    <Stack gap="md">
      <ConsumerIssues consumerId={consumer.id} />
      <HealthCard consumer={consumer} />
      <HistoryPanel consumerId={consumer.id} outages={outages} />
      <Timeline consumer={consumer} />
      <Backlog consumerId={consumer.id} />
      {consumer.certificates.length > 0 && <CertificatesCard consumer={consumer} />}
    </Stack>
  );
}

/** Shows above every tab that nothing is sent, and until when. */
function PauseNotice({ consumer }: { consumer: Consumer }) {
  const { state, pausedUntil, pauseReason } = consumer;
  if (state !== 'paused') return null;
  if (isNotLiveYet(consumer))
    return (
      <Alert color="blue" title="Not live yet">
        It was registered paused; its deliveries are held. Hand the signing secret to the customer, send a
        test, then go live.
      </Alert>
    );
  const until = pausedUntil === null ? 'it is resumed' : <Time at={pausedUntil} />;
  return (
    <Alert color="yellow" title={<>Paused until {until}</>}>
      {pauseReason}
    </Alert>
  );
}
