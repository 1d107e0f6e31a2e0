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
  queued: { label: 'Scheduled', meaning: 'Due at a known time', tone: 'busy', icon: IconClock },
  sending: { label: 'Sending', meaning: 'An attempt is under way', tone: 'busy', icon: IconSend },
  held: { label: 'Held', meaning: 'Waiting for its hold to end', tone: 'waiting', icon: IconHandStop },
  delivered: { label: 'Delivered', meaning: 'Acknowledged', tone: 'good', icon: IconCircleCheck },
  dead: { label: 'Dead', meaning: 'Given up: no more automatic attempts', tone: 'bad', icon: IconSkull },
  cancelled: { label: 'Cancelled', meaning: 'Finished without being sent', tone: 'quiet', icon: IconBan },
};

export function StateBadge({ state }: { state: DeliveryState }) {
  const { label, meaning, tone, icon } = STATES[state];
  return (
    <ToneBadge tone={tone} icon={icon} hint={meaning}>
      {label}
    </ToneBadge>
  );
}
