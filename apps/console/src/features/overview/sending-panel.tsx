import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schema } from '../../api/schema';
import { ReasonDialog } from '../../feedback/reason-dialog';
import { Time } from '../../formats/time';
import { ToneBadge } from '../../formats/tone-badge';
import { useMay } from '../../session/use-may';
import { useSetSending } from './use-set-sending';

const DIALOGS = {
  pause: {
    title: 'Pause sending to everybody',
    effect:
      'Nothing more is sent to any consumer until somebody resumes it. What is under way ends. Status changes are still accepted, and nothing is lost: everything waits and goes out in order afterwards.',
    confirm: 'Pause sending',
    done: 'Sending is paused. Everything waits.',
  },
  resume: {
    title: 'Resume sending',
    effect: 'Everything that waited goes out in order, as fast as each consumer’s limits allow.',
    confirm: 'Resume sending',
    done: 'Sending goes on.',
  },
} as const;

/** Whether the dispatcher sends at all; and the switch, for those who may. */
export function SendingPanel({ sending }: { sending: Schema<'SendingReasonDto'> }) {
  const mayAct = useMay('oncall');
  const [opened, dialog] = useDisclosure(false);
  const isPaused = sending.state === 'paused';
  // What was asked for, even if somebody else switches meanwhile.
  const [to, setTo] = useState<'pause' | 'resume'>('pause');
  const setSending = useSetSending();
  const { title, effect, confirm, done } = DIALOGS[to];
  const open = (): void => {
    setTo(isPaused ? 'resume' : 'pause');
    dialog.open();
  };
  const button = mayAct && (
    <Button
      variant={isPaused ? 'filled' : 'default'}
      leftSection={isPaused ? <IconPlayerPlay size={18} /> : <IconPlayerPause size={18} />}
      onClick={open}
    >
      {isPaused ? 'Resume sending' : 'Pause sending'}
    </Button>
  );
  return (
    <section aria-label="Sending">
      {isPaused ? (
        <Alert
          color="yellow"
          variant="outline"
          icon={<IconPlayerPause />}
          title="Sending is paused for everybody"
        >
          <Text>
            Since <Time at={sending.pausedAt} />
            {sending.pausedBy !== null && <>, by {sending.pausedBy}</>}
            {sending.pauseReason !== null && <>, because: “{sending.pauseReason}”</>}. Status changes are
            accepted and wait.{' '}
            {mayAct
              ? 'Resume when the reason is gone.'
              : 'Somebody with the role oncall can resume it when the reason is gone.'}
          </Text>
          <Group mt="sm">{button}</Group>
        </Alert>
      ) : (
        <Group justify="space-between">
          <ToneBadge tone="good" icon={IconPlayerPlay} hint="The dispatcher as a whole is not paused">
            Sending is on
          </ToneBadge>
          {button}
        </Group>
      )}
      <ReasonDialog
        opened={opened}
        onClose={dialog.close}
        title={title}
        effect={effect}
        confirm={confirm}
        danger={to === 'pause'}
        onConfirm={async (reason) => {
          await setSending.mutateAsync({ to, reason });
          notifications.show({ color: to === 'pause' ? 'yellow' : 'green', message: done });
        }}
      />
    </section>
  );
}
