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
  { header: 'Address', cell: ({ url }) => <Code style={{ overflowWrap: 'anywhere' }}>{url}</Code> },
  {
    header: 'Answer of the bank',
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
    <Page
      title="Your address"
      about="The web address (URL) of your server, to which the bank sends your notifications."
    >
      <QueryState query={consumer} what="settings" />
      {data !== undefined && (
        <Stack gap="lg" maw={860}>
          <Section title="The address now">
            <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {data.url}
            </Code>
            <Text size="sm">
              The statuses of a payment arrive{' '}
              {data.ordering === 'payment' ? 'in their order' : 'in any order'}.
            </Text>
          </Section>
          <Section title="Try it">
            <TestForm consumer={data} />
          </Section>
          <Section title="Another address">
            {isWaiting ? (
              <Text>Your request waits for the bank. Withdraw it below to make another.</Text>
            ) : (
              <RequestForm />
            )}
            <ListView
              list={requests}
              rows={requests.data?.urlRequests}
              caption="Requested addresses"
              columns={COLUMNS}
              rowId={({ id }) => id}
              empty={
                <EmptyState title="No requests">You have not asked the bank for another address.</EmptyState>
              }
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
      url: (url) =>
        URL.canParse(url) ? null : 'Enter the full address, e.g. https://payments.example/notifications',
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
          label="New address (URL)"
          description="The bank calls you to confirm it, and uses it from then on"
          required
          maxLength={2_048}
          {...form.getInputProps('url')}
        />
        <Textarea label="Reason" maxLength={500} autosize {...form.getInputProps('reason')} />
        {making.error !== null && <ProblemAlert error={making.error} title="Not requested" />}
        <Button type="submit" loading={making.isPending} style={{ alignSelf: 'flex-start' }}>
          Request this address
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
          `The address stays as it is. You had asked for ${url}.`,
        )
      }
    >
      Withdraw
    </Button>
  );
}
