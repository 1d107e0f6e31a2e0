import {
  IconActivityHeartbeat,
  IconCircleCheck,
  IconClockExclamation,
  IconKeyOff,
  IconPlayerPause,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import type { Schema } from '../api';
import { countInWords } from './count-in-words';
import { durationInWords } from './duration-in-words';
import { Time } from './time';
import { ToneBadge, type Look } from './tone-badge';

export type Health = Schema<'ConsumerHealthDto'>;

/** Every state of health, the worst first. */
export const HEALTH: Readonly<Record<Health['state'], Look>> = {
  credentials_broken: { label: 'Credentials broken', tone: 'bad', icon: IconKeyOff },
  down: { label: 'Down', tone: 'bad', icon: IconPlugConnectedX },
  degraded: { label: 'Degraded', tone: 'bad', icon: IconActivityHeartbeat },
  falling_behind: { label: 'Falling behind', tone: 'waiting', icon: IconClockExclamation },
  paused: { label: 'Paused', tone: 'waiting', icon: IconPlayerPause },
  healthy: { label: 'Healthy', tone: 'good', icon: IconCircleCheck },
};

/** The state, and the end of a pause (`until`). */
export const HealthBadge = ({
  health,
  until,
}: {
  health: Pick<Health, 'state' | 'summary'>;
  until?: string | null;
}) => (
  <ToneBadge {...HEALTH[health.state]} hint={health.summary}>
    {until != null && (
      <>
        {' until '}
        <Time at={until} isExact />
      </>
    )}
  </ToneBadge>
);

/** What began at the time since which a consumer is in its state. */
export const BEGAN: Readonly<Record<Health['state'], string>> = {
  credentials_broken: 'Credentials broken',
  down: 'Failing (from the first failed attempt)',
  degraded: 'Degraded',
  falling_behind: 'Overdue (the oldest delivery)',
  paused: 'Paused',
  healthy: 'Healthy',
};

/** Where the fault probably is. */
export const SIDES: Readonly<Record<NonNullable<Health['side']>, string>> = {
  theirs: 'The consumer',
  line: 'The network',
  ours: 'Our side',
};

/** Paused on purpose, with nothing else to do. */
export const isPlanned = ({ planned, dead, notices }: Health): boolean =>
  planned && dead.count === 0 && notices.length === 0;

/** Paused on purpose until a known time, with nothing else to do; a pause without an end needs a person. */
export const endsAutomatically = ({ health, pausedUntil }: Schema<'ConsumerTroubleDto'>): boolean =>
  pausedUntil !== null && isPlanned(health);

/** A person should look at this consumer. */
export const needsAttention = (health: Health): boolean =>
  !isPlanned(health) && (health.state !== 'healthy' || health.dead.count > 0 || health.notices.length > 0);

/** `empty in about 12 min`, `growing by 40 a minute`; an empty text without waiting deliveries. */
export function trendInWords(backlog: Schema<'BacklogDto'>): string {
  const { trend, drainsInSeconds, inPerMinute, outPerMinute } = backlog;
  switch (trend) {
    case 'empty':
      return '';
    case 'steady':
      return 'nearly unchanged';
    case 'growing':
      return `growing by ${countInWords(Math.round(inPerMinute - outPerMinute))} a minute`;
    case 'draining':
      return `empty in about ${durationInWords((drainsInSeconds ?? 0) * 1_000)
        .split(' ')
        .slice(0, 2)
        .join(' ')}`;
  }
}

/** The rates of the last 5 minutes in a sentence, and whether the backlog drains at them; empty without waiting deliveries. */
export function drainInWords(backlog: Schema<'BacklogDto'>): string {
  switch (backlog.trend) {
    case 'empty':
      return '';
    case 'steady':
      return 'At the rate of the last 5 minutes the backlog does not drain.';
    case 'growing':
    case 'draining':
      return `At the rate of the last 5 minutes the backlog is ${trendInWords(backlog)}${backlog.trend === 'growing' ? ' and does not drain' : ''}.`;
  }
}

/** `105, growing by 26 a minute`. */
export const waitingInWords = (backlog: Schema<'BacklogDto'>): string =>
  [countInWords(backlog.waiting), trendInWords(backlog)].filter((part) => part !== '').join(', ');

/** The list of dead deliveries that are not settled, of one consumer or of all. */
export const deadPath = (consumerId?: string): string =>
  `/deliveries?${new URLSearchParams({
    ...(consumerId === undefined ? {} : { consumerId }),
    state: 'dead',
    settled: 'false',
  }).toString()}`;
