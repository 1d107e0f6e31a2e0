import type { IssueEvent, IssueKind } from '#libs/contracts';
import { linesOf, linkOf, titleOf, type IssueMessage, type Origin } from '../issue-message.js';

/** Where PagerDuty receives events; accounts in its EU region have another address. */
export const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue';

const ACTIONS: Readonly<Record<IssueEvent, string>> = {
  opened: 'trigger',
  acknowledged: 'acknowledge',
  resolved: 'resolve',
};

const SEVERITIES: Readonly<Record<IssueKind, string>> = {
  credentials_broken: 'critical',
  down: 'critical',
  paused_unplanned: 'error',
  degraded: 'error',
  falling_behind: 'warning',
  dead_not_settled: 'error',
  certificate_expiring: 'warning',
  api_key_expiring: 'warning',
};

/** PagerDuty's limit for a summary. */
const MOST_SUMMARY = 1_024;

/**
 * One event of PagerDuty's Events API v2 (https://developer.pagerduty.com/docs/events-api-v2). Its `dedup_key` is the
 * issue's id: a repeated event opens no second incident, and `acknowledge` and `resolve` find the first.
 */
export function pagerDutyBody(message: IssueMessage, origin: Origin, routingKey: string): object {
  const link = linkOf(message, origin);
  const summary =
    origin.environment === null ? titleOf(message) : `[${origin.environment}] ${titleOf(message)}`;
  return {
    routing_key: routingKey,
    event_action: ACTIONS[message.event],
    dedup_key: message.issueId,
    ...(message.event === 'opened'
      ? {
          client: 'Payment notification dispatcher',
          ...(link === null
            ? {}
            : { client_url: link, links: [{ href: link, text: 'The issue in the console' }] }),
          payload: {
            summary: summary.slice(0, MOST_SUMMARY),
            source: message.consumerName ?? 'dispatcher',
            severity: SEVERITIES[message.kind],
            timestamp: message.openedAt.toISOString(),
            class: message.kind,
            custom_details: { details: linesOf(message).join('\n') },
          },
        }
      : {}),
  };
}
