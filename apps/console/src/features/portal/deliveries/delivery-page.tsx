import { Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { answerOf, api, type Schema } from '../../../api';
import { QueryState } from '../../../feedback';
import { CopiedId, EVENT_TYPES, Fact, JsonView, LastAttempt, TextLink, Time } from '../../../formats';
import { Page } from '../../../page/page';
import { Section } from '../../../page/section';
import { AttemptTimeline } from '../../deliveries/attempt-timeline';
import { BankContact } from '../bank-contact';
import { OWN } from '../own-queries';
import { ResendDelivery } from './resend-delivery';
import { StateBadgeForConsumer, StateForConsumer } from './state-for-consumer';

type Detail = Schema<'DeliveryDetailDto'>;

/** One own delivery: why it waits or has ended, its attempts, and the whole notification. */
export function PortalDeliveryPage() {
  const { id = '' } = useParams();
  const query = useQuery({
    queryKey: [OWN, 'delivery', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/deliveries/{id}', { params: { path: { id } }, signal })),
  });
  const { data } = query;
  return (
    <Page
      title={
        data === undefined
          ? 'Delivery'
          : `${data.paymentId ?? 'Payment without an id'}: ${data.status ?? 'no status'}`
      }
      about={<TextLink to="/portal/deliveries">All deliveries</TextLink>}
      actions={data !== undefined && <ResendDelivery delivery={data} />}
    >
      <QueryState query={query} what="delivery" />
      {data !== undefined && (
        <Stack gap="lg">
          <State delivery={data} />
          <Facts delivery={data} />
          <AttemptTimeline delivery={data} />
          <Section title="What is sent">
            {data.envelope == null ? (
              <Text>It is older than the bank keeps it.</Text>
            ) : (
              <JsonView what="Notification" value={data.envelope} />
            )}
          </Section>
          <BankContact />
        </Stack>
      )}
    </Page>
  );
}

function State({ delivery }: { delivery: Detail }) {
  const { state, heldSince, attempts } = delivery;
  return (
    <Paper withBorder p="md">
      <Stack gap="xs" align="flex-start">
        <StateBadgeForConsumer state={state} />
        <Text component="div">
          <strong>
            <StateForConsumer delivery={delivery} />
          </strong>
          {heldSince !== null && (
            <>
              {' '}
              It has waited since <Time at={heldSince} />.
            </>
          )}
        </Text>
        <LastAttempt attempts={attempts} />
      </Stack>
    </Paper>
  );
}

const Facts = ({ delivery }: { delivery: Detail }) => (
  <SimpleGrid component="dl" cols={{ base: 1, sm: 2, lg: 3 }} m={0} spacing="md">
    <Fact name="Kind of payment">{EVENT_TYPES[delivery.eventType].label}</Fact>
    <Fact name="Created">
      <Time at={delivery.createdAt} />
    </Fact>
    <Fact name="Ended">
      <Time at={delivery.finishedAt} absent="Not yet" />
    </Fact>
    <Fact name="Notification id (notificationId)">
      <CopiedId value={delivery.notificationId} what="the notification id" />
    </Fact>
  </SimpleGrid>
);
