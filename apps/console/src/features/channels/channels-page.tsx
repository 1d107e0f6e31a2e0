import { Group, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleOff, IconSendOff } from '@tabler/icons-react';
import { answerOf, api } from '../../api';
import { EmptyState } from '../../feedback';
import { countInWords, type Look, TextLink, Time, ToneBadge } from '../../formats';
import { Page } from '../../page/page';
import { useMay } from '../../signed-in/use-me';
import { type Column, ListView, useListPage } from '../../tables';
import { useConsumerNames } from '../../queries/use-consumers';
import { ISSUE_KINDS } from '../issues/issue-words';
import { ChannelActions } from './channel-actions';
import { CHANNEL_KINDS } from './channel-kinds';
import { filterInWords, hoursInWords, type Channel } from './channel-words';
import { CreateChannel } from './create-channel';

const COLUMNS: readonly Column<Channel>[] = [
  {
    header: 'Channel',
    cell: ({ name, kind }) => {
      const { label, icon: Symbol } = CHANNEL_KINDS[kind];
      return (
        <>
          <strong>{name}</strong>
          <Group gap={4} wrap="nowrap">
            <Symbol size={16} aria-hidden />
            <Text size="sm">{label}</Text>
          </Group>
        </>
      );
    },
  },
  { header: 'Destination', cell: ({ host, recipients }) => host ?? recipients.join(', ') },
  { header: 'Receives', cell: (channel) => <Receives channel={channel} /> },
  { header: 'State', cell: (channel) => <State channel={channel} /> },
  { header: 'Last sent', cell: ({ lastSentAt }) => <Time at={lastSentAt} absent="never" /> },
];

/** Where issues are announced. */
export function ChannelsPage() {
  const isOperator = useMay('operator');
  const channels = useListPage(['channels'], (query, signal) =>
    answerOf(api.GET('/v1/channels', { params: { query }, signal })),
  );
  return (
    <Page
      title="Channels"
      about={
        <>
          Where a message is sent when an <TextLink to="/issues">issue</TextLink> is opened, acknowledged or
          resolved. Issues that were opened before the channel are not announced.
        </>
      }
      actions={isOperator && <CreateChannel />}
    >
      <ListView
        list={channels}
        rows={channels.data?.channels}
        caption="Channels"
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowActions={isOperator ? (channel) => <ChannelActions channel={channel} /> : undefined}
        empty={
          <EmptyState title="No channels yet">
            The dispatcher sends no messages about issues. An operator can create a channel.
          </EmptyState>
        }
      />
    </Page>
  );
}

function Receives({ channel }: { channel: Channel }) {
  const names = useConsumerNames(channel.consumerIds ?? []);
  const nameOf = (id: string): string => names.get(id) ?? 'a removed consumer';
  return (
    <>
      {filterInWords(channel, (kind) => ISSUE_KINDS[kind].label, nameOf)}
      <Text size="sm" c="dimmed">
        {hoursInWords(channel.hours)}
      </Text>
    </>
  );
}

const STATES: Readonly<Record<'enabled' | 'disabled' | 'failing', Look>> = {
  enabled: { label: 'Enabled', tone: 'good', icon: IconCircleCheck },
  disabled: { label: 'Disabled', tone: 'quiet', icon: IconCircleOff },
  failing: { label: 'Not accepted', tone: 'bad', icon: IconSendOff },
};

function State({ channel: { enabled, lastError, pending, failed } }: { channel: Channel }) {
  const state = !enabled ? 'disabled' : lastError === null ? 'enabled' : 'failing';
  const counts = [
    ...(pending > 0 ? [`${countInWords(pending)} waiting`] : []),
    ...(failed > 0 ? [`${countInWords(failed)} given up in 7 days`] : []),
  ];
  return (
    <>
      <ToneBadge {...STATES[state]} />
      {[...(enabled && lastError !== null ? [lastError] : []), ...counts].map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </>
  );
}
