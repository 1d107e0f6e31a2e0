import { Anchor, Code, Stack, Text } from '@mantine/core';
import { QueryState } from '../../../feedback';
import { EVENT_TYPES, JsonView } from '../../../formats';
import { Page } from '../../../page/page';
import { Section } from '../../../page/section';
import { type Column, DataTable } from '../../../tables';
import { TestForm } from '../../consumers/test-delivery/test-dialog';
import { type OwnConsumer, useOwnConsumer } from '../own-queries';
import ach from './ach.status.schema.json';
import achFile from './ach.status.schema.json?url';
import { fieldsOf, type NotificationSchema, type SchemaField } from './schema-fields';
import wire from './wire.status.schema.json';
import wireFile from './wire.status.schema.json?url';

type EventType = OwnConsumer['eventTypes'][number];

const SCHEMAS: Readonly<Record<EventType, { schema: NotificationSchema; file: string }>> = {
  'ach.status': { schema: ach, file: achFile },
  'wire.status': { schema: wire, file: wireFile },
};

const COLUMNS: readonly Column<SchemaField>[] = [
  { header: 'Field', cell: ({ path }) => <Code style={{ overflowWrap: 'anywhere' }}>{path}</Code> },
  { header: 'Value', cell: ({ value }) => value },
  { header: 'Always there', cell: ({ isRequired }) => (isRequired ? 'Yes' : 'No') },
  { header: 'Meaning', cell: ({ about }) => about },
];

/** What each notification contains, with an example that can be sent as a test. */
export function PortalNotificationsPage() {
  const consumer = useOwnConsumer();
  return (
    <Page title="Notifications" about="What your server receives when a payment changes its status.">
      <QueryState query={consumer} what="settings" />
      {consumer.data?.eventTypes.map((eventType) => (
        <Notification key={eventType} eventType={eventType} consumerId={consumer.data.id} />
      ))}
    </Page>
  );
}

function Notification({ eventType, consumerId }: { eventType: EventType; consumerId: string }) {
  const { schema, file } = SCHEMAS[eventType];
  return (
    <Section title={`${EVENT_TYPES[eventType].label}: ${eventType}`}>
      <Stack>
        <Text>
          A field can be added at any time: ignore what you do not know.{' '}
          <Anchor href={file} download={`${eventType}.schema.json`} inherit>
            JSON Schema of {eventType}
          </Anchor>
        </Text>
        <DataTable
          caption={`Fields of ${eventType}`}
          columns={COLUMNS}
          rows={fieldsOf(schema)}
          rowId={({ path }) => path}
        />
        <JsonView what={`Example of ${eventType}`} value={schema.examples[0]} />
        <TestForm consumer={{ id: consumerId, eventTypes: [eventType] }} send="Send me this one" />
      </Stack>
    </Section>
  );
}
