import { severityOf } from '#libs/policy';
import { linkOf, titleOf, type IssueMessage, type Origin } from '../issue-message.js';
import { announcedSummary, totalOf, type IssueSummary } from '../issue-summary.js';

/** The body of a signed webhook; docs/issues-and-channels.md describes it. */
export const webhookBody = (messages: readonly IssueMessage[], origin: Origin): object => ({
  environment: origin.environment,
  messages: messages.map((message) => ({
    event: message.event,
    issueId: message.issueId,
    kind: message.kind,
    severity: severityOf(message.kind),
    title: titleOf(message),
    consumerId: message.consumerId,
    consumerName: message.consumerName,
    contact: message.contact,
    summary: message.summary,
    advice: message.advice,
    openedAt: message.openedAt.toISOString(),
    acknowledgedBy: message.acknowledgedBy,
    note: message.note,
    resolvedAt: message.resolvedAt?.toISOString() ?? null,
    resolvedBy: message.resolvedBy,
    url: linkOf(message, origin),
  })),
  summary: null,
});

/** The body of a signed webhook about issues above the channel's limit. */
export function webhookSummary(summary: IssueSummary, origin: Origin): object {
  const { title, parts } = announcedSummary(summary, origin);
  return {
    environment: origin.environment,
    messages: [],
    summary: {
      title,
      count: totalOf(summary),
      counts: Object.fromEntries(summary.counts),
      unresolved: summary.unresolved,
      since: summary.since.toISOString(),
      url: parts[0].link,
    },
  };
}
