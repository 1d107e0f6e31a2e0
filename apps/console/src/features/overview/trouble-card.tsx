import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCertificate,
  IconHourglass,
  IconKeyOff,
  IconPlayerPause,
  IconPlugConnectedX,
  type Icon,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Schema } from '../../api/schema';
import { deliveriesInWords } from '../../formats/count-in-words';
import { Time } from '../../formats/time';
import { ToneBadge, type Tone } from '../../formats/tone-badge';
import { deliveriesPath, type DeliveryFilter } from '../deliveries/delivery-filters';

type Trouble = Schema<'ConsumerTroubleDto'>;

const KINDS: Readonly<
  Record<Trouble['kind'], { label: string; tone: Tone; icon: Icon; filter: DeliveryFilter; those: string }>
> = {
  secret: {
    label: 'Credentials unreadable',
    tone: 'bad',
    icon: IconKeyOff,
    filter: { holdReason: 'secret' },
    those: 'Those held for it',
  },
  circuit: {
    label: 'Down',
    tone: 'bad',
    icon: IconPlugConnectedX,
    filter: { holdReason: 'circuit' },
    those: 'Those held for it',
  },
  failing: {
    label: 'Failing',
    tone: 'bad',
    icon: IconAlertTriangle,
    filter: { state: 'queued' },
    those: 'Those queued',
  },
  behind: {
    label: 'Falling behind',
    tone: 'waiting',
    icon: IconHourglass,
    filter: { state: 'queued' },
    those: 'Those queued',
  },
  paused: {
    label: 'Paused',
    tone: 'waiting',
    icon: IconPlayerPause,
    filter: { holdReason: 'paused' },
    those: 'Those held for it',
  },
  certificate: {
    label: 'Certificate ends',
    tone: 'waiting',
    icon: IconCertificate,
    filter: { outcome: 'tls' },
    those: 'Those that TLS failed for',
  },
};

/** One consumer that needs somebody: since when, why, what waits, what to do, whom to call. */
export function TroubleCard({ trouble }: { trouble: Trouble }) {
  const { consumerId, name, contact, kind, since, why, advice, backlog, backlogIsCapped } = trouble;
  const { label, tone, icon, filter, those } = KINDS[kind];
  return (
    <Paper component="li" withBorder p="md">
      <Stack gap={6}>
        <Group gap="sm">
          <Title order={3} size="h4">
            <Anchor component={Link} to={`/consumers/${consumerId}`} inherit>
              {name}
            </Anchor>
          </Title>
          <ToneBadge tone={tone} icon={icon}>
            {label}
          </ToneBadge>
          <Text size="sm">
            since <Time at={since} />
          </Text>
        </Group>
        <Text>{why}</Text>
        <Text>
          <strong>What to do:</strong> {advice}
        </Text>
        <Text>
          <strong>Call:</strong> {contact ?? 'no contact is kept for this consumer; an operator can add one.'}
        </Text>
        <Group gap="md">
          <Text>
            {backlog === 0
              ? 'Nothing waits.'
              : `${deliveriesInWords(backlog, backlogIsCapped)} ${backlog === 1 ? 'waits' : 'wait'}.`}
          </Text>
          <Anchor component={Link} to={deliveriesPath({ consumerId, ...filter })}>
            {those}
          </Anchor>
          <Anchor component={Link} to={deliveriesPath({ consumerId, state: 'dead' })}>
            Those that are dead
          </Anchor>
          <Anchor component={Link} to={deliveriesPath({ consumerId })}>
            All its deliveries
          </Anchor>
        </Group>
      </Stack>
    </Paper>
  );
}
