import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconPlayerPause } from '@tabler/icons-react';
import type { Schema } from '../../../api';
import { QueryState } from '../../../feedback';
import { countInWords, Fact, HEALTH, TextLink, Time, ToneBadge } from '../../../formats';
import { Page } from '../../../page/page';
import { Section } from '../../../page/section';
import { BankContact } from '../bank-contact';
import { STATES_FOR_CONSUMER } from '../deliveries/state-for-consumer';
import { useOwnConsumer } from '../own-queries';
import { LastDays } from './last-days';
import { RecentFailures } from './recent-failures';

type Profile = Schema<'PortalProfileDto'>;

/** The first screen of a consumer's own people: whether everything arrives, and if not, why and what to do. */
export function PortalOverviewPage() {
  const query = useOwnConsumer();
  const { data } = query;
  return (
    <Page
      title={data?.name ?? 'Overview'}
      about={data !== undefined && <>Payment notifications to {data.url}</>}
    >
      <QueryState query={query} what="overview" />
      {data !== undefined && (
        <Stack gap="lg">
          <Health profile={data} />
          <Counts {...data} />
          {data.waitingUrlRequest !== null && (
            <Alert color="blue" title="Your new address waits for the bank">
              {data.waitingUrlRequest.url}, requested by {data.waitingUrlRequest.madeBy} at{' '}
              <Time at={data.waitingUrlRequest.madeAt} />.{' '}
              <TextLink to="/portal/endpoint">Your address</TextLink>
            </Alert>
          )}
          {data.expiringKeys.length > 0 && (
            <Alert color="yellow" title="API keys in use end soon">
              {data.expiringKeys.map(({ name, expiresAt }) => (
                <div key={`${name} ${expiresAt}`}>
                  {name}: <Time at={expiresAt} />
                </div>
              ))}
              Create a new key, change to it, then revoke the old one.{' '}
              <TextLink to="/portal/keys">API keys</TextLink>
            </Alert>
          )}
          <RecentFailures consumerId={data.id} />
          <LastDays />
          <BankContact />
        </Stack>
      )}
    </Page>
  );
}

/** The state of the own server as a customer says it. */
const HEALTH_LABELS: Readonly<Record<Profile['health']['state'], string>> = {
  credentials_broken: 'Interrupted at the bank',
  down: 'Nothing arrives',
  degraded: 'Some do not arrive',
  falling_behind: 'Late',
  paused: 'Paused',
  healthy: 'Notifications arrive',
};

/** The state in words, and what to do. */
function Health({ profile }: { profile: Profile }) {
  const { health, isSendingPaused, state, pausedAt, pausedUntil, oldestDueAt } = profile;
  return (
    <Section title="Your server">
      {isSendingPaused && (
        <Alert color="yellow" icon={<IconPlayerPause />} title="The bank has paused sending">
          Nothing is lost: your notifications wait, and are sent in order when the bank continues.
        </Alert>
      )}
      <div>
        <ToneBadge {...HEALTH[health.state]} label={HEALTH_LABELS[health.state]} />
      </div>
      <Text>
        {health.summary} <strong>{health.advice}</strong>
        {health.nextTryAt !== null && (
          <>
            {' '}
            We try again at <Time at={health.nextTryAt} />, and send what waits after the first success.
          </>
        )}
      </Text>
      <SimpleGrid component="dl" cols={{ base: 1, sm: 3 }} m={0} spacing="md">
        {health.since !== null && (
          <Fact name="Since">
            <Time at={health.since} />
          </Fact>
        )}
        {state === 'paused' && (
          <Fact name="Paused">
            <Time at={pausedAt} />, until{' '}
            {pausedUntil === null ? 'the bank resumes it' : <Time at={pausedUntil} />}
          </Fact>
        )}
        <Fact name="Last success">
          <Time at={health.lastSuccessAt} absent="None yet" />
        </Fact>
        <Fact name="Late since">
          <Time at={oldestDueAt} absent="Nothing is late" />
        </Fact>
      </SimpleGrid>
    </Section>
  );
}

/** A count of 10,000 is a lower bound. */
const MOST_COUNTED = 10_000;

function Counts({ counts, health: { since } }: Pick<Profile, 'counts' | 'health'>) {
  const { dead, delivered, cancelled } = counts;
  const waiting = counts.queued + counts.sending + counts.held;
  const facts = [
    { name: 'Waiting', query: 'waiting', count: waiting, about: '' },
    { name: STATES_FOR_CONSUMER.dead.label, query: 'dead', count: dead, about: '' },
    {
      name: STATES_FOR_CONSUMER.delivered.label,
      query: 'delivered',
      count: delivered,
      about: 'last 24 hours',
    },
    {
      name: STATES_FOR_CONSUMER.cancelled.label,
      query: 'cancelled',
      count: cancelled,
      about: 'last 24 hours',
    },
  ];
  return (
    <Section title="Deliveries">
      <SimpleGrid component="dl" aria-label="Deliveries by state" cols={{ base: 2, sm: 4 }} m={0}>
        {facts.map(({ name, query, count, about }) => (
          <Fact key={query} name={name}>
            <TextLink to={`/portal/deliveries?state=${query}`}>
              {countInWords(count, count >= MOST_COUNTED)}
            </TextLink>{' '}
            {about}
          </Fact>
        ))}
      </SimpleGrid>
      {waiting + dead === 0 ? (
        <Text>
          <IconCircleCheck size="1em" aria-hidden /> Nothing waits, and nothing is missing.
        </Text>
      ) : (
        <Text>
          <TextLink to={`/portal/replays${since === null ? '' : `?from=${since}`}`}>
            Resend everything that you missed since an outage
          </TextLink>
        </Text>
      )}
    </Section>
  );
}
