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
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { answerOf, api, doneBy } from '../../api';
import { ConfirmDialog, ReasonDialog, useCommand } from '../../feedback';
import { isKey, MomentField } from '../../formats';
import { useMay } from '../../signed-in/use-me';
import { ReplayPeriod } from '../bulk-actions/replay-period';
import { TestDialog } from './test-delivery/test-dialog';
import type { Consumer } from '../../queries/use-consumers';

/** It was registered paused, and has never been resumed. */
export const isNotLiveYet = ({ state, pauseReason }: Consumer): boolean =>
  state === 'paused' && pauseReason === 'Not live yet';

/** The three ways to resume: a consumer that is not live yet, is paused, or is down. */
const RESUMPTIONS = {
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
type Resumption = keyof typeof RESUMPTIONS;

/** The resumption that a consumer in this state needs; null when it is sent to already. */
function neededBy(consumer: Consumer): Resumption | null {
  if (consumer.state === 'paused') return isNotLiveYet(consumer) ? 'goLive' : 'resume';
  return consumer.circuit === null ? null : 'tryNow';
}

/** Resumes sending to a consumer. */
export function useResume({ id, name }: Consumer) {
  const run = useCommand();
  return (kind: Resumption, reason: string) => {
    const body = { reason: reason === '' ? RESUMPTIONS[kind].label : reason };
    const resuming = answerOf(api.POST('/v1/consumers/{id}/resume', { params: { path: { id } }, body }));
    return run(resuming, name, RESUMPTIONS[kind].done);
  };
}

/** The buttons next to a consumer’s name: first the one that it needs. */
export function ConsumerActions({ consumer }: { consumer: Consumer }) {
  const isOnCall = useMay('oncall');
  const isOperator = useMay('operator');
  const [open, setOpen] = useState<Resumption | 'pause' | 'test' | 'remove' | null>(null);
  const resume = useResume(consumer);
  if (!isOnCall) return null;
  const needed = neededBy(consumer);
  // The one whose button was pressed, even when the consumer is in another state by now.
  const asked = isKey(RESUMPTIONS, open) ? open : 'resume';
  const dialog = (kind: typeof open) => ({ consumer, opened: open === kind, onClose: () => setOpen(null) });
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
      {needed !== null && button(needed, RESUMPTIONS[needed].Icon, RESUMPTIONS[needed].label)}
      {button('pause', IconPlayerPause, consumer.state === 'paused' ? 'Change the pause' : 'Pause')}
      {button('test', IconSend, 'Send a test')}
      <ReplayPeriod consumer={consumer} />
      {isOperator && button('remove', IconTrash, 'Remove')}
      <ReasonDialog
        {...dialog(asked)}
        title={`${RESUMPTIONS[asked].title} ${consumer.name}`}
        effect={RESUMPTIONS[asked].effect}
        confirm={RESUMPTIONS[asked].label}
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

/** The next 03:00 UTC. */
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

/** Pauses a consumer, until a time (`until`) or until a person resumes it (empty). */
function PauseDialog({ consumer: { id, name }, opened, onClose }: DialogProps) {
  const run = useCommand();
  const [until, setUntil] = useState('');
  const pause = (reason: string) => {
    const body = { reason, ...(until === '' ? {} : { until }) };
    const pausing = answerOf(api.POST('/v1/consumers/{id}/pause', { params: { path: { id } }, body }));
    return run(pausing, name, 'Paused. Its deliveries are held, and none is lost.');
  };
  return (
    <ReasonDialog
      opened={opened}
      onClose={() => {
        setUntil('');
        onClose();
      }}
      title={`Pause ${name}`}
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
      onConfirm={pause}
    />
  );
}

/** Removes a consumer after its name was typed, since this cannot be undone. */
function RemoveDialog({ consumer: { id, name }, opened, onClose }: DialogProps) {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const run = useCommand();
  const remove = () => {
    // Its screen is left first: it can no longer be read.
    const removing = doneBy(api.DELETE('/v1/consumers/{id}', { params: { path: { id } } })).then(() =>
      navigate('/consumers'),
    );
    return run(removing, name, 'Removed. Its waiting deliveries are cancelled.', ['consumers']);
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={() => {
        setTyped('');
        onClose();
      }}
      title={`Remove ${name}`}
      effect={
        <Stack>
          <Text>
            Its waiting deliveries are cancelled, nothing more is sent to it, and its credentials and keys are
            deleted. This cannot be undone. To stop sending for a while, pause it instead.
          </Text>
          <TextInput
            label={`Type the consumer’s name: ${name}`}
            data-autofocus
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Stack>
      }
      isComplete={typed === name}
      confirm={`Remove ${name}`}
      onConfirm={remove}
    />
  );
}
