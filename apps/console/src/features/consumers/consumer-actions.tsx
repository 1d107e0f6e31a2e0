import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import {
  IconPlayerPause,
  IconPlayerPlay,
  IconRocket,
  IconSend,
  IconTargetArrow,
  IconTrash,
  type Icon,
} from '@tabler/icons-react';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { answerOf, api, doneBy } from '../../api';
import { ConfirmDialog, ReasonDialog } from '../../feedback/reason-dialog';
import { MomentField } from '../../formats/moment-field';
import { useMay } from '../../session/use-me';
import { ReplaySince } from '../bulk-actions/replay-since';
import { TestDialog } from './trying/test-dialog';
import type { Consumer } from './use-consumers';

/** It was registered paused, and has never been resumed. */
export const isNotLiveYet = ({ state, pauseReason }: Consumer): boolean =>
  state === 'paused' && pauseReason === 'Not live yet';

type Act = 'goLive' | 'resume' | 'tryNow';

/** What resuming means to a consumer that is not live yet, is paused, or is down. */
const ACTS = {
  goLive: {
    label: 'Go live',
    Icon: IconRocket,
    title: 'Go live with',
    effect:
      'Sends what was accepted for it since its registration, in order, and then every new status of its payments. The customer needs the signing secret for this; send a test first.',
    done: 'Notifications are sent from now on.',
  },
  resume: {
    label: 'Resume',
    Icon: IconPlayerPlay,
    title: 'Resume',
    effect:
      'Ends the pause. The held deliveries are sent in order, within the consumer’s limits. If the circuit is open, one probe is sent first, and the rest when it is acknowledged.',
    done: 'The held deliveries are sent in order.',
  },
  tryNow: {
    label: 'Try now',
    Icon: IconTargetArrow,
    title: 'Send a probe to',
    effect:
      'Sends one probe now. If the consumer acknowledges it, the circuit closes and the waiting deliveries follow in order. Otherwise the next probe is sent later, as before.',
    done: 'A probe is sent. If it is acknowledged, the waiting deliveries follow.',
  },
} as const;

const isAct = (text: string): text is Act => text in ACTS;

/** What a consumer in this state needs first; null: nothing but being left alone. */
function neededAct(consumer: Consumer): Act | null {
  if (consumer.state === 'paused') return isNotLiveYet(consumer) ? 'goLive' : 'resume';
  return consumer.circuit === null ? null : 'tryNow';
}

/** What a person can do to a consumer as a whole; each says afterwards what it did. */
export function useConsumerActions({ id, name }: Consumer) {
  const client = useQueryClient();
  const params = { path: { id } };
  const say = (message: string): string => notifications.show({ color: 'green', title: name, message });
  return {
    /** `until`: ISO 8601; empty: until it is resumed. */
    pause: async (reason: string, until: string): Promise<void> => {
      const body = { reason, ...(until === '' ? {} : { until }) };
      await answerOf(api.POST('/v1/consumers/{id}/pause', { params, body }));
      say('Paused. Its deliveries are held, and none is lost.');
      await client.invalidateQueries();
    },
    resume: async (act: Act, reason: string): Promise<void> => {
      const body = { reason: reason === '' ? ACTS[act].label : reason };
      await answerOf(api.POST('/v1/consumers/{id}/resume', { params, body }));
      say(ACTS[act].done);
      await client.invalidateQueries();
    },
    remove: async (): Promise<void> => {
      await doneBy(api.DELETE('/v1/consumers/{id}', { params }));
      say('Removed. Its waiting deliveries are cancelled.');
      // Its own screen is left alone: there is nothing more to ask for.
      await client.invalidateQueries({ queryKey: ['consumers'], exact: true });
    },
  };
}

/** The buttons beside a consumer’s name: first what it needs, or Pause in the same place. */
export function ConsumerActions({ consumer }: { consumer: Consumer }) {
  const isOnCall = useMay('oncall');
  const isOperator = useMay('operator');
  const [open, setOpen] = useState<Act | 'pause' | 'test' | 'remove' | null>(null);
  const { resume } = useConsumerActions(consumer);
  if (!isOnCall) return null;
  const needed = neededAct(consumer);
  // What was asked for, though the consumer may be in another state by now.
  const asked = open !== null && isAct(open) ? open : 'resume';
  const dialog = (kind: typeof open) => ({
    consumer,
    opened: open === kind,
    onClose: () => setOpen(null),
  });
  const button = (kind: typeof open, Symbol: Icon, label: string) => (
    <Button
      key={kind}
      variant={kind === needed ? 'filled' : 'default'}
      leftSection={<Symbol size={16} />}
      onClick={() => setOpen(kind)}
    >
      {label}
    </Button>
  );
  return (
    <>
      {needed !== null && button(needed, ACTS[needed].Icon, ACTS[needed].label)}
      {button('pause', IconPlayerPause, consumer.state === 'paused' ? 'Change the pause' : 'Pause')}
      {button('test', IconSend, 'Send a test')}
      <ReplaySince consumer={consumer} />
      {isOperator && button('remove', IconTrash, 'Remove')}
      <ReasonDialog
        {...dialog(asked)}
        title={`${ACTS[asked].title} ${consumer.name}`}
        effect={ACTS[asked].effect}
        confirm={ACTS[asked].label}
        isOptional={asked !== 'resume'}
        onConfirm={(reason) => resume(asked, reason)}
      />
      <TestDialog {...dialog('test')} />
      <PauseDialog {...dialog('pause')} />
      <RemoveDialog {...dialog('remove')} />
    </>
  );
}

const HOUR_MS = 3_600_000;

/** The next time that it is 03:00 UTC. */
function nextThree(): Date {
  const at = new Date();
  at.setUTCHours(3, 0, 0, 0);
  return at.getTime() > Date.now() ? at : new Date(at.getTime() + 24 * HOUR_MS);
}

const PRESETS = [
  { label: '1 hour', until: () => new Date(Date.now() + HOUR_MS).toISOString() },
  { label: 'Until 03:00 UTC', until: () => nextThree().toISOString() },
  { label: 'Until resumed', until: () => '' },
] as const;

interface DialogProps {
  consumer: Consumer;
  opened: boolean;
  onClose: () => void;
}

/** Pauses a consumer, until a time or until somebody resumes it. */
function PauseDialog({ consumer, opened, onClose }: DialogProps) {
  const { pause } = useConsumerActions(consumer);
  const [until, setUntil] = useState('');
  const close = (): void => {
    setUntil('');
    onClose();
  };
  return (
    <ReasonDialog
      opened={opened}
      onClose={close}
      title={`Pause ${consumer.name}`}
      effect={
        <Stack gap="sm">
          <Text>
            Nothing is sent to it while it is paused. Its deliveries are held and none is lost: paused time
            does not count. Requests under way are finished.
          </Text>
          <Group gap="xs">
            {PRESETS.map((preset) => (
              <Button
                key={preset.label}
                size="compact-sm"
                variant="default"
                onClick={() => setUntil(preset.until())}
              >
                {preset.label}
              </Button>
            ))}
          </Group>
          <MomentField
            label="Resume automatically at"
            description="Leave empty: paused until it is resumed. At most 30 days ahead"
            value={until}
            onChange={setUntil}
          />
        </Stack>
      }
      confirm={until === '' ? 'Pause until resumed' : 'Pause until then'}
      onConfirm={(reason) => pause(reason, until)}
    />
  );
}

/** Removes a consumer, after its name was typed: there is no way back. */
function RemoveDialog({ consumer, opened, onClose }: DialogProps) {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const { remove } = useConsumerActions(consumer);
  const close = (): void => {
    setTyped('');
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={`Remove ${consumer.name}`}
      effect={
        <Stack>
          <Text>
            Its waiting deliveries are cancelled, nothing more is sent to it, and its credentials and keys are
            deleted. This cannot be undone. To stop sending for a while, pause it instead.
          </Text>
          <TextInput
            label={`Type the consumer’s name: ${consumer.name}`}
            data-autofocus
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Stack>
      }
      isComplete={typed === consumer.name}
      confirm={`Remove ${consumer.name}`}
      onConfirm={async () => {
        await remove();
        await navigate('/consumers');
      }}
    />
  );
}
