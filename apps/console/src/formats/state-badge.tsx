import {
  IconBan,
  IconCircleCheck,
  IconClock,
  IconHandStop,
  IconSend,
  IconSkull,
  type Icon,
} from '@tabler/icons-react';
import type { Schema } from '../api/schema';
import { ToneBadge, type Tone } from './tone-badge';

export type DeliveryState = Schema<'DeliveryDto'>['state'];

/** Every state of a delivery: what it is called, and what it means to somebody who has never heard of it. */
export const STATES: Readonly<
  Record<DeliveryState, { label: string; meaning: string; tone: Tone; icon: Icon }>
> = {
  queued: {
    label: 'Queued',
    meaning: 'Has its turn, or its next try, at a known time',
    tone: 'busy',
    icon: IconClock,
  },
  sending: { label: 'Sending', meaning: 'Is being sent at this moment', tone: 'busy', icon: IconSend },
  held: { label: 'Held', meaning: 'Waits until something else changes', tone: 'waiting', icon: IconHandStop },
  delivered: {
    label: 'Delivered',
    meaning: 'The consumer acknowledged it',
    tone: 'good',
    icon: IconCircleCheck,
  },
  dead: { label: 'Dead', meaning: 'Given up: nothing more is tried by itself', tone: 'bad', icon: IconSkull },
  cancelled: { label: 'Cancelled', meaning: 'Called off by a person', tone: 'quiet', icon: IconBan },
};

export function StateBadge({ state }: { state: DeliveryState }) {
  const { label, meaning, tone, icon } = STATES[state];
  return (
    <ToneBadge tone={tone} icon={icon} hint={meaning}>
      {label}
    </ToneBadge>
  );
}
