import { Alert, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../../api';
import { QueryState, ReasonDialog, useCommand } from '../../../feedback';
import { ContactLink, Time } from '../../../formats';
import { Section } from '../../../page/section';
import { useMay } from '../../../signed-in/use-me';
import { useWaitingUrlRequests } from '../../url-requests/url-request-queries';
import type { Consumer } from '../../../queries/use-consumers';

/** The URL that the consumer's people have requested, beside the present one, for an operator's decision. */
export function RequestedUrl({ consumer }: { consumer: Consumer }) {
  const query = useWaitingUrlRequests();
  const request = query.data?.urlRequests.find(({ consumerId }) => consumerId === consumer.id);
  return (
    <Section title="Requested URL">
      <QueryState query={query} what="requests" />
      {query.data !== undefined && request === undefined && <Text>No request waits.</Text>}
      {request !== undefined && <WaitingRequest request={request} contact={consumer.contact} />}
    </Section>
  );
}

function WaitingRequest({ request, contact }: { request: Schema<'UrlRequestDto'>; contact: string | null }) {
  const { urlBefore, currentUrl, url, reason, madeBy, madeAt } = request;
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Url name="Present URL" url={currentUrl} />
        <Url name="Requested URL" url={url} />
      </SimpleGrid>
      {urlBefore !== currentUrl && (
        <Alert color="yellow" title="The URL has changed since the request">
          At the request it was {urlBefore}. The request can only be rejected.
        </Alert>
      )}
      <Text>
        Requested by {madeBy} at <Time at={madeAt} />
        {reason !== null && `: “${reason}”`}. Before you approve, call the consumer on a number that the bank
        knows: a stolen session can make a request. Its contact: <ContactLink contact={contact} />.
      </Text>
      <Decision request={request} />
    </Stack>
  );
}

const Url = ({ name, url }: { name: string; url: string }) => (
  <div>
    <Text fw={600}>{name}</Text>
    <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {url}
    </Code>
  </div>
);

function Decision({ request: { id, url, consumerName } }: { request: Schema<'UrlRequestDto'> }) {
  const isOperator = useMay('operator');
  const run = useCommand();
  const [open, setOpen] = useState<'approve' | 'reject' | null>(null);
  const close = (): void => setOpen(null);
  const params = { path: { id } };
  if (!isOperator) return <Text c="dimmed">Deciding needs the role operator.</Text>;
  return (
    <Group>
      <Button onClick={() => setOpen('approve')}>Approve</Button>
      <Button variant="default" onClick={() => setOpen('reject')}>
        Reject
      </Button>
      <ReasonDialog
        opened={open === 'approve'}
        onClose={close}
        title={`Change the URL of ${consumerName}`}
        effect={`From the next attempt on, all notifications are sent to ${url}, and signed with it.`}
        confirm="Approve"
        isOptional
        onConfirm={(reason) =>
          run(
            answerOf(
              api.POST('/v1/url-requests/{id}/approve', { params, body: reason === '' ? {} : { reason } }),
            ),
            'Approved',
            `${consumerName} has its new URL.`,
          )
        }
      />
      <ReasonDialog
        opened={open === 'reject'}
        onClose={close}
        title={`Reject the URL that ${consumerName} requested`}
        effect="The present URL stays. The consumer’s people see your reason."
        confirm="Reject"
        onConfirm={(reason) =>
          run(
            answerOf(api.POST('/v1/url-requests/{id}/reject', { params, body: { reason } })),
            'Rejected',
            `The URL of ${consumerName} stays.`,
          )
        }
      />
    </Group>
  );
}
