import { ActionIcon, Alert, Button, Group, Menu, Text, TextInput } from '@mantine/core';
import { IconDotsVertical, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../api';
import { ReasonDialog, useCommand } from '../../feedback';
import { Age, ToneBadge } from '../../formats';
import { useMay } from '../../signed-in/use-me';
import { PART_NAMES, useStatus } from '../../status/health-banner';
import { QUEUE } from '../../queries/queue-query';

const WORD = 'PAUSE';
const PAUSED = { label: 'Sending is paused', tone: 'waiting', icon: IconPlayerPause } as const;
const ON = { label: 'Sending is on', tone: 'good', icon: IconPlayerPlay } as const;

/** Whether sending is on, paused, or stopped because a part of the system is down. */
export function SendingBadge({ sending, workers }: Pick<Schema<'OverviewDto'>, 'sending' | 'workers'>) {
  const { data } = useStatus();
  const down = data?.parts.filter(({ state }) => state === 'down').map(({ name }) => PART_NAMES[name]) ?? [];
  const why =
    down.length > 0
      ? `${down.join(' and ')} ${down.length > 1 ? 'are' : 'is'} down`
      : workers.length === 0 && 'no worker is alive';
  const isPaused = sending.state === 'paused';
  return why !== false ? (
    <ToneBadge label={`Sending is stopped: ${why}`} tone="bad" icon={IconPlayerStop} />
  ) : (
    <ToneBadge {...(isPaused ? PAUSED : ON)} />
  );
}

/** Stops sending to all consumers: in a menu, and confirmed by typing a word. */
export function PauseSending() {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const pause = useSetSending('pause');
  const close = (): void => {
    setOpen(false);
    setTyped('');
  };
  if (!useMay('oncall')) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label="More actions">
            <IconDotsVertical size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => setOpen(true)}>
            Pause sending …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ReasonDialog
        opened={isOpen}
        onClose={close}
        title="Pause sending to all consumers"
        effect={
          <>
            No consumer receives anything until sending is resumed. Events are still accepted and nothing is
            lost; deliveries are held and sent in order afterwards.
            <TextInput
              mt="sm"
              label={`Type ${WORD} to confirm`}
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </>
        }
        confirm="Pause sending"
        danger
        isComplete={typed.trim() === WORD}
        onConfirm={pause}
      />
    </>
  );
}

/** While sending is paused: who paused it, why, and the button that resumes it. */
export function PausedAlert({ sending }: { sending: Schema<'SendingReasonDto'> }) {
  const isOnCall = useMay('oncall');
  const [isOpen, setOpen] = useState(false);
  const resume = useSetSending('resume');
  const { state, pausedAt, pausedBy, pauseReason } = sending;
  if (state !== 'paused') return null;
  return (
    <section aria-label="Sending">
      <Alert color="yellow" icon={<IconPlayerPause />} title="Sending is paused for all consumers">
        <Text>
          Paused <Age at={pausedAt} />
          {pausedBy !== null && <> by {pausedBy}</>}
          {pauseReason !== null && <>: “{pauseReason}”</>}. Events are accepted; deliveries are held.
          {!isOnCall && ' The role oncall can resume sending.'}
        </Text>
        {isOnCall && (
          <Group mt="sm">
            <Button leftSection={<IconPlayerPlay size={18} />} onClick={() => setOpen(true)}>
              Resume sending
            </Button>
          </Group>
        )}
      </Alert>
      <ReasonDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Resume sending"
        effect="Held deliveries are sent in order, as fast as each consumer’s limits allow."
        confirm="Resume sending"
        onConfirm={resume}
      />
    </section>
  );
}

/** Pauses or resumes sending to all consumers. */
function useSetSending(to: 'pause' | 'resume') {
  const run = useCommand();
  return (reason: string) => {
    const setting = answerOf(api.POST(`/v1/sending/${to}`, { body: { reason } }));
    return run(setting, 'Sending', `Sending is ${to === 'pause' ? 'paused' : 'on'}.`, QUEUE.queryKey);
  };
}
