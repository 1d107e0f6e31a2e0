import type { ChannelKind, IssueKind, Severity } from '#libs/contracts';

/**
 * When a person has to act on an issue of this kind. `page`: nothing reaches the consumer until a person acts. `ticket`:
 * deliveries are late or dead. `info`: nothing fails yet.
 */
export function severityOf(kind: IssueKind): Severity {
  switch (kind) {
    case 'credentials_broken':
    case 'down':
    case 'paused_unplanned':
      return 'page';
    case 'degraded':
    case 'falling_behind':
    case 'dead_not_settled':
      return 'ticket';
    case 'certificate_expiring':
    case 'api_key_expiring':
      return 'info';
  }
}

/** The severities that a channel of this kind announces unless it was given others: PagerDuty wakes a person. */
export function defaultSeverities(kind: ChannelKind): readonly Severity[] {
  switch (kind) {
    case 'pagerduty':
      return ['page'];
    case 'webhook':
    case 'slack':
    case 'teams':
    case 'email':
      return ['page', 'ticket', 'info'];
  }
}
