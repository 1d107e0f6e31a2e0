import { IconCircleCheck, IconClock, IconHistory, type Icon } from '@tabler/icons-react';
import type { Schema } from '../../../api/schema';
import { ToneBadge, type Tone } from '../../../formats/tone-badge';

type VersionState = Schema<'CredentialVersionDto'>['state'];

const STATES: Readonly<Record<VersionState, { label: string; hint: string; tone: Tone; icon: Icon }>> = {
  current: { label: 'In force', hint: 'Every attempt uses it', tone: 'good', icon: IconCircleCheck },
  coming: { label: 'Coming', hint: 'Holds from its time on', tone: 'busy', icon: IconClock },
  former: { label: 'Former', hint: 'Was in force, and can be again', tone: 'quiet', icon: IconHistory },
};

export function VersionBadge({ state }: { state: VersionState }) {
  const { label, hint, tone, icon } = STATES[state];
  return (
    <ToneBadge tone={tone} icon={icon} hint={hint}>
      {label}
    </ToneBadge>
  );
}
