import {
  IconActivityHeartbeat,
  IconCircleCheck,
  IconClockExclamation,
  IconKeyOff,
  IconPlayerPause,
  IconPlugConnectedX,
  type Icon,
} from '@tabler/icons-react';
import type { Schema } from '../../api';
import { countInWords } from '../../formats/count-in-words';
import { durationInWords } from '../../formats/duration-in-words';
import { Time } from '../../formats/time';
import { ToneBadge, type Tone } from '../../formats/tone-badge';

export type Health = Schema<'ConsumerHealthDto'>;
type State = Health['state'];

/** Every state of health, the worst first. */
export const HEALTH: Readonly<Record<State, { label: string; tone: Tone; icon: Icon }>> = {
  credentials_broken: { label: 'Credentials broken', tone: 'bad', icon: IconKeyOff },
  down: { label: 'Down', tone: 'bad', icon: IconPlugConnectedX },
  degraded: { label: 'Degraded', tone: 'bad', icon: IconActivityHeartbeat },
  falling_behind: { label: 'Falling behind', tone: 'waiting', icon: IconClockExclamation },
  paused: { label: 'Paused', tone: 'waiting', icon: IconPlayerPause },
  healthy: { label: 'Healthy', tone: 'good', icon: IconCircleCheck },
};

/** The state; of a pause with an end (`until`), that too. */
export function HealthBadge({
  health: { state, summary },
  until,
}: {
  health: Health;
  until?: string | null;
}) {
  const { label, tone, icon } = HEALTH[state];
  return (
    <ToneBadge tone={tone} icon={icon} hint={summary}>
      {label}
      {until != null && (
        <>
          {' until '}
          <Time at={until} />
        </>
      )}
    </ToneBadge>
  );
}

/** Whose a fault probably is. */
export const SIDES: Readonly<Record<NonNullable<Health['side']>, string>> = {
  theirs: 'Theirs',
  line: 'Line',
  ours: 'Ours',
};

/** Paused on purpose, and nothing else to be done. */
export const isPlanned = ({ planned, dead, notices }: Health): boolean =>
  planned && dead.count === 0 && notices.length === 0;

/** Somebody should look at it. */
export const isTrouble = (health: Health): boolean =>
  !isPlanned(health) && (health.state !== 'healthy' || health.dead.count > 0 || health.notices.length > 0);

/** `drains in about 12 min`, `grows by 40 a minute`; nothing when nothing waits. */
export function trendInWords(backlog: Schema<'BacklogDto'>): string {
  const { trend, drainsInSeconds, inPerMinute, outPerMinute } = backlog;
  switch (trend) {
    case 'empty':
      return '';
    case 'steady':
      return 'steady';
    case 'growing':
      return `grows by ${countInWords(Math.round(inPerMinute - outPerMinute))} a minute`;
    case 'draining':
      return `drains in about ${durationInWords((drainsInSeconds ?? 0) * 1_000)
        .split(' ')
        .slice(0, 2)
        .join(' ')}`;
  }
}

/** Its dead deliveries that nobody has settled: where they are replayed or settled. */
export const deadPath = (consumerId?: string): string =>
  `/deliveries?${new URLSearchParams({
    ...(consumerId === undefined ? {} : { consumerId }),
    state: 'dead',
    settled: 'false',
  }).toString()}`;
