import { Stack } from '@mantine/core';
import { IconBan, IconCircleCheck, IconClockExclamation, IconClockOff, type Icon } from '@tabler/icons-react';
import { Time } from '../../formats/time';
import { ToneBadge, type Tone } from '../../formats/tone-badge';
import { useNow } from '../../formats/use-now';
import { standingOf, type KeyStanding } from './key-standing';
import type { ApiKey } from './use-api-keys';

const STANDINGS: Readonly<Record<KeyStanding, { label: string; hint: string; tone: Tone; icon: Icon }>> = {
  live: { label: 'In use', hint: 'Whoever has it gets in', tone: 'good', icon: IconCircleCheck },
  'ends-soon': {
    label: 'Ends soon',
    hint: 'Make its successor, and hand it over before this one ends',
    tone: 'waiting',
    icon: IconClockExclamation,
  },
  expired: { label: 'Expired', hint: 'It is refused since its end', tone: 'bad', icon: IconClockOff },
  revoked: {
    label: 'Revoked',
    hint: 'It is refused since somebody revoked it',
    tone: 'quiet',
    icon: IconBan,
  },
};

/** Whether a key is taken, and until or since when. */
export function KeyBadge({ apiKey }: { apiKey: ApiKey }) {
  const { label, hint, tone, icon } = STANDINGS[standingOf(apiKey, useNow())];
  const since = apiKey.revokedAt ?? apiKey.expiresAt;
  return (
    <Stack gap={2} align="flex-start">
      <ToneBadge tone={tone} icon={icon} hint={hint}>
        {label}
      </ToneBadge>
      {since === null ? <span style={{ whiteSpace: 'nowrap' }}>without an end</span> : <Time at={since} />}
    </Stack>
  );
}
