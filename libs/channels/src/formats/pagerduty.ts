import { ISSUE_KINDS, type IssueEvent, type Severity } from '#libs/contracts';
import { severityOf } from '#libs/policy';
import { linesOf, linkOf, named, titleOf, type IssueMessage, type Origin } from '../issue-message.js';
import { announcedSummary, type IssueSummary } from '../issue-summary.js';

/** Where PagerDuty receives events; accounts in its EU region have another address. */
export const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue';

const ACTIONS: Readonly<Record<IssueEvent, string>> = {
  opened: 'trigger',
  acknowledged: 'acknowledge',
  resolved: 'resolve',
};

/** PagerDuty's names. */
const SEVERITIES: Readonly<Record<Severity, string>> = { page: 'critical', ticket: 'warning', info: 'info' };

/** PagerDuty's limit for a summary. */
const MOST_SUMMARY = 1_024;

/**
 * One event of PagerDuty's Events API v2 (https://developer.pagerduty.com/docs/events-api-v2). Its `dedup_key` is the
 * issue's id: a repeated event opens no second incident, and `acknowledge` and `resolve` find the first.
 */
export function pagerDutyBody(message: IssueMessage, origin: Origin, routingKey: string): object {
  return {
    routing_key: routingKey,
    event_action: ACTIONS[message.event],
    dedup_key: message.issueId,
    ...(message.event === 'opened'
      ? {
          ...client(linkOf(message, origin), 'The issue in the console'),
          payload: {
            summary: named(origin, titleOf(message)).slice(0, MOST_SUMMARY),
            source: message.consumerName ?? 'dispatcher',
            severity: SEVERITIES[severityOf(message.kind)],
            timestamp: message.openedAt.toISOString(),
            class: message.kind,
            custom_details: { details: linesOf(message).join('\n') },
          },
        }
      : {}),
  };
}

/**
 * The event about issues above the channel's limit. Its `dedup_key` is the channel and the severity: until a person
 * resolves that incident in PagerDuty, further summaries of the same severity are added to it.
 */
export function pagerDutySummary(summary: IssueSummary, origin: Origin, routingKey: string): object {
  // ISSUE_KINDS has the worst first.
  const [worst = 'api_key_expiring'] = ISSUE_KINDS.filter((kind) => summary.counts.has(kind));
  const severity = SEVERITIES[severityOf(worst)];
  const { title, parts } = announcedSummary(summary, origin);
  return {
    routing_key: routingKey,
    event_action: 'trigger',
    dedup_key: `${severity} issues above the limit of channel ${summary.channelId}`,
    ...client(parts[0].link, 'The issues in the console'),
    payload: {
      summary: title.slice(0, MOST_SUMMARY),
      source: 'dispatcher',
      severity,
      timestamp: summary.since.toISOString(),
      class: worst,
      custom_details: { details: parts[0].lines.join('\n') },
    },
  };
}

const client = (link: string | null, text: string): object => ({
  client: 'Payment notification dispatcher',
  ...(link === null ? {} : { client_url: link, links: [{ href: link, text }] }),
});
