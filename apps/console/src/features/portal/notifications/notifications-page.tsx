import { Anchor, Code, Stack, Text } from '@mantine/core';
import { QueryState } from '../../../feedback';
import { EVENT_TYPES, JsonView } from '../../../formats';
import { Page } from '../../../page/page';
import { Section } from '../../../page/section';
import { type Column, DataTable } from '../../../tables';
import { TestForm } from '../../consumers/test-delivery/test-dialog';
import { type OwnConsumer, useOwnConsumer } from '../own-queries';
import notifications from './notifications.json';

type EventType = OwnConsumer['eventTypes'][number];

const COLUMNS: readonly Column<(typeof notifications)[EventType]['fields'][number]>[] = [
  { header: 'Field', cell: ({ path }) => <Code style={{ overflowWrap: 'anywhere' }}>{path}</Code> },
  { header: 'Value', cell: ({ value }) => value },
  { header: 'Always there', cell: ({ isRequired }) => (isRequired ? 'Yes' : 'No') },
  { header: 'Meaning', cell: ({ about }) => about },
];

/** What each notification contains, with an example that can be sent as a test. */
export function PortalNotificationsPage() {
  const consumer = useOwnConsumer();
  return (
    <Page
      title="Notifications"
      about="For your engineers: what your server receives when a payment changes its status."
    >
      <QueryState query={consumer} what="settings" />
      {consumer.data?.eventTypes.map((eventType) => (
        <Notification key={eventType} eventType={eventType} consumerId={consumer.data.id} />
      ))}
    </Page>
  );
}

function Notification({ eventType, consumerId }: { eventType: EventType; consumerId: string }) {
  const { example, fields } = notifications[eventType];
  return (
    <Section title={`${EVENT_TYPES[eventType].label}: ${eventType}`}>
      <Stack>
        <Text>
          A field can be added at any time: ignore what you do not know.{' '}
          <Anchor href={`/v1/schemas/${eventType}`} download inherit>
            JSON Schema of {eventType}
          </Anchor>
        </Text>
        <JsonView what={`Example of ${eventType}`} value={example} />
        <TestForm consumer={{ id: consumerId, eventTypes: [eventType] }} send="Send me this one" />
        <DataTable
          caption={`Fields of ${eventType}`}
          columns={COLUMNS}
          rows={fields}
          rowId={({ path }) => path}
        />
      </Stack>
    </Section>
  );
}
