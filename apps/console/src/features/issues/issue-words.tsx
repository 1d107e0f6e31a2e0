import {
  IconAlertCircle,
  IconCertificate,
  IconCircleCheck,
  IconKey,
  IconMailOff,
  IconPlayerPause,
  IconUserCheck,
} from '@tabler/icons-react';
import type { Schema } from '../../api';
import { HEALTH, type Look, ToneBadge } from '../../formats';

export type Issue = Schema<'IssueDto'>;

/** Every kind of issue, the worst first. */
export const ISSUE_KINDS: Readonly<Record<Issue['kind'], Look>> = {
  credentials_broken: HEALTH.credentials_broken,
  down: HEALTH.down,
  paused_unplanned: { label: 'Unplanned pause', tone: 'bad', icon: IconPlayerPause },
  degraded: HEALTH.degraded,
  falling_behind: HEALTH.falling_behind,
  dead_not_settled: { label: 'Dead deliveries', tone: 'bad', icon: IconMailOff },
  certificate_expiring: { label: 'Certificate expires', tone: 'waiting', icon: IconCertificate },
  api_key_expiring: { label: 'API key expires', tone: 'waiting', icon: IconKey },
};

export const ISSUE_STATES: Readonly<Record<Issue['state'], Look>> = {
  open: { label: 'Open', tone: 'bad', icon: IconAlertCircle },
  acknowledged: { label: 'Acknowledged', tone: 'busy', icon: IconUserCheck },
  resolved: { label: 'Resolved', tone: 'good', icon: IconCircleCheck },
};

/** When a person has to act. */
export const SEVERITIES: Readonly<Record<Issue['severity'], { label: string }>> = {
  page: { label: 'Page: act now' },
  ticket: { label: 'Ticket: act today' },
  info: { label: 'Info: act within days' },
};

export const IssueKindBadge = ({ kind }: Pick<Issue, 'kind'>) => <ToneBadge {...ISSUE_KINDS[kind]} />;

/** The state, and the person who takes care of the issue. */
export const IssueStateBadge = ({ state, acknowledgedBy, resolvedBy }: Issue) => (
  <ToneBadge {...ISSUE_STATES[state]}>
    {state === 'acknowledged' && ` by ${acknowledgedBy ?? ''}`}
    {state === 'resolved' && (resolvedBy === null ? ' automatically' : ` by ${resolvedBy}`)}
  </ToneBadge>
);

/** `Down: Falcon Air Cargo`; an issue of the installation has no consumer. */
export const nameOfIssue = ({ kind, consumerName }: Issue): string =>
  consumerName === null ? ISSUE_KINDS[kind].label : `${ISSUE_KINDS[kind].label}: ${consumerName}`;
