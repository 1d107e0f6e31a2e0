import { Table, Text, Title } from '@mantine/core';
import {
  IconCircleCheck,
  IconClock,
  IconCircleX,
  IconPlayerSkipForward,
  IconStack2,
} from '@tabler/icons-react';
import type { Schema } from '../../api';
import { type Look, Time, ToneBadge } from '../../formats';

type Message = Schema<'IssueMessageDto'>;

const STATES: Readonly<Record<Message['state'], Look>> = {
  pending: { label: 'Waiting', tone: 'waiting', icon: IconClock },
  sent: { label: 'Sent', tone: 'good', icon: IconCircleCheck },
  failed: { label: 'Given up', tone: 'bad', icon: IconCircleX },
  superseded: { label: 'No longer needed', tone: 'quiet', icon: IconPlayerSkipForward },
  counted: { label: 'In the next summary', tone: 'waiting', icon: IconStack2 },
  summarised: { label: 'Sent in a summary', tone: 'good', icon: IconStack2 },
};

const EVENTS: Readonly<Record<Message['event'], string>> = {
  opened: 'Opened',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
};

/** The messages about an issue: to which channel, and whether they were accepted. */
export function IssueMessages({ messages }: { messages: readonly Message[] }) {
  return (
    <section aria-labelledby="messages">
      <Title order={2} size="h4" id="messages" mb="xs">
        Messages
      </Title>
      {messages.length === 0 ? (
        <Text c="dimmed">No channel is set up for this issue.</Text>
      ) : (
        <Table.ScrollContainer minWidth={480}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>To</Table.Th>
                <Table.Th>About</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>When</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {messages.map((message) => (
                <Table.Tr key={`${message.channelName ?? ''} ${message.event} ${message.at}`}>
                  <Table.Td>{message.channelName ?? 'The consumer’s contact'}</Table.Td>
                  <Table.Td>{EVENTS[message.event]}</Table.Td>
                  <Table.Td>
                    <ToneBadge {...STATES[message.state]} />
                    {message.lastError !== null && <Text size="sm">{message.lastError}</Text>}
                  </Table.Td>
                  <Table.Td>
                    <Time at={message.at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}
