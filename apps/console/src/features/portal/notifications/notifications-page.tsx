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
import fields from './fields.json';
import wire from './wire.status.schema.json';
import wireFile from './wire.status.schema.json?url';

type EventType = OwnConsumer['eventTypes'][number];

const SCHEMAS = {
  'ach.status': { example: ach.examples[0], file: achFile },
  'wire.status': { example: wire.examples[0], file: wireFile },
} satisfies Record<EventType, unknown>;

const COLUMNS: readonly Column<(typeof fields)[EventType][number]>[] = [
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
  const { example, file } = SCHEMAS[eventType];
  return (
    <Section title={`${EVENT_TYPES[eventType].label}: ${eventType}`}>
      <Stack>
        <Text>
          A field can be added at any time: ignore what you do not know.{' '}
          <Anchor href={file} download={`${eventType}.schema.json`} inherit>
            JSON Schema of {eventType}
          </Anchor>
        </Text>
        <JsonView what={`Example of ${eventType}`} value={example} />
        <TestForm consumer={{ id: consumerId, eventTypes: [eventType] }} send="Send me this one" />
        <DataTable
          caption={`Fields of ${eventType}`}
          columns={COLUMNS}
          rows={fields[eventType]}
          rowId={({ path }) => path}
        />
      </Stack>
    </Section>
  );
}
