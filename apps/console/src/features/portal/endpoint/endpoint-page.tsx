import { Button, Code, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, doneBy, type Schema } from '../../../api';
import { EmptyState, ProblemAlert, QueryState, useCommand, fieldFaults } from '../../../feedback';
import { Time } from '../../../formats';
import { Page } from '../../../page/page';
import { Section } from '../../../page/section';
import { type Column, ListView, useListPage } from '../../../tables';
import { TestForm } from '../../consumers/test-delivery/test-dialog';
import { URL_REQUEST_STATES } from '../../url-requests/url-request-words';
import { BankContact } from '../bank-contact';
import { OWN, useOwnConsumer } from '../own-queries';

type Request = Schema<'PortalUrlRequestDto'>;

const COLUMNS: readonly Column<Request>[] = [
  { header: 'URL', cell: ({ url }) => <Code style={{ overflowWrap: 'anywhere' }}>{url}</Code> },
  {
    header: 'State',
    cell: ({ state, rejectionReason }) => (
      <>
        {URL_REQUEST_STATES[state]}
        {rejectionReason !== null && `: ${rejectionReason}`}
      </>
    ),
  },
  {
    header: 'Requested',
    cell: ({ madeBy, madeAt }) => (
      <>
        by {madeBy}, <Time at={madeAt} />
      </>
    ),
  },
  { header: 'Decided', cell: ({ decidedAt }) => <Time at={decidedAt} absent="Not yet" /> },
  { header: 'Actions', cell: (request) => <Withdraw request={request} /> },
];

/** The own URL, a test delivery, and requests for another URL. */
export function PortalEndpointPage() {
  const consumer = useOwnConsumer();
  const { data } = consumer;
  const requests = useListPage([OWN, 'url-requests'], (query, signal) =>
    answerOf(api.GET('/v1/portal/url-requests', { params: { query }, signal })),
  );
  const isWaiting = requests.data?.urlRequests.some(({ state }) => state === 'waiting') === true;
  return (
    <Page title="Endpoint" about="Where the bank sends your notifications.">
      <QueryState query={consumer} what="settings" />
      {data !== undefined && (
        <Stack gap="lg" maw={860}>
          <Section title="Your URL">
            <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {data.url}
            </Code>
            <Text size="sm">
              Signed exactly like this. The unit of x-timestamp is {data.timestampUnit}; statuses arrive{' '}
              {data.ordering === 'payment' ? 'in order, payment by payment' : 'in any order'}.
            </Text>
          </Section>
          <Section title="Test delivery">
            <TestForm consumer={data} />
          </Section>
          <Section title="Another URL">
            {isWaiting ? (
              <Text>A request waits for the bank. Withdraw it below to make another.</Text>
            ) : (
              <RequestForm />
            )}
            <ListView
              list={requests}
              rows={requests.data?.urlRequests}
              caption="Requested URLs"
              columns={COLUMNS}
              rowId={({ id }) => id}
              empty={<EmptyState title="No requests">The present URL was agreed with the bank.</EmptyState>}
            />
          </Section>
          <BankContact />
        </Stack>
      )}
    </Page>
  );
}

function RequestForm() {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { url: '', reason: '' },
    validate: {
      url: (url) => (URL.canParse(url) ? null : 'Enter the full URL, e.g. https://consumer.example/hook'),
    },
  });
  const making = useMutation({
    mutationFn: ({ url, reason }: typeof form.values) =>
      answerOf(
        api.POST('/v1/portal/url-requests', {
          body: { url: url.trim(), ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
        }),
      ),
    onSuccess: async () => {
      form.reset();
      await client.invalidateQueries();
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => making.mutate(values))} noValidate>
      <Stack maw={560}>
        <TextInput
          type="url"
          label="New URL"
          description="It is used after the bank has approved it. The bank calls you to confirm it"
          required
          maxLength={2_048}
          {...form.getInputProps('url')}
        />
        <Textarea label="Reason" maxLength={500} autosize {...form.getInputProps('reason')} />
        {making.error !== null && <ProblemAlert error={making.error} title="Not requested" />}
        <Button type="submit" loading={making.isPending} style={{ alignSelf: 'flex-start' }}>
          Request this URL
        </Button>
      </Stack>
    </form>
  );
}

function Withdraw({ request: { id, url, state } }: { request: Request }) {
  const run = useCommand();
  if (state !== 'waiting') return '–';
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() =>
        void run(
          doneBy(api.DELETE('/v1/portal/url-requests/{id}', { params: { path: { id } } })),
          'Withdrawn',
          `The present URL stays. It was ${url}.`,
        )
      }
    >
      Withdraw
    </Button>
  );
}
