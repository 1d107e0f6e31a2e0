import { IconBan, IconCircleCheck, IconClock, IconHandStop, IconSend, IconSkull } from '@tabler/icons-react';
import type { Schema } from '../api';
import { ToneBadge, type Look } from './tone-badge';

export type DeliveryState = Schema<'DeliveryDto'>['state'];

/** Every state of a delivery: its label and its meaning. */
export const STATES: Readonly<Record<DeliveryState, Look & { meaning: string }>> = {
  queued: {
    label: 'Scheduled',
    meaning: 'Its next attempt is at a known time',
    tone: 'busy',
    icon: IconClock,
  },
  sending: { label: 'Sending', meaning: 'It is being sent now', tone: 'busy', icon: IconSend },
  held: { label: 'Held', meaning: 'Waits for a reason that is shown', tone: 'waiting', icon: IconHandStop },
  delivered: {
    label: 'Delivered',
    meaning: 'The consumer acknowledged it',
    tone: 'good',
    icon: IconCircleCheck,
  },
  dead: { label: 'Dead', meaning: 'Given up: no automatic retries', tone: 'bad', icon: IconSkull },
  cancelled: { label: 'Cancelled', meaning: 'Nothing more is sent', tone: 'quiet', icon: IconBan },
};

export const StateBadge = ({ state }: { state: DeliveryState }) => (
  <ToneBadge {...STATES[state]} hint={STATES[state].meaning} />
);
